/**
 * Tells metrics, and modules that follow failures, what happens to runs. Listeners are called synchronously, so they
 * must be cheap and must not throw.
 */

/**
 * Transitions of runs on this node. `lost`: the lease expired or the run was ended elsewhere, and the work here was
 * dropped. `dead_lettered`: the database refused the run's change, so the run was failed with an internal error.
 */
export type RunTransition =
  | 'claimed'
  | 'parked'
  | 'released'
  | 'lost'
  | 'dead_lettered'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'timed_out'

export type TransitionListener = (transition: RunTransition, count: number) => void

export interface RunHooks {
  emit(transition: RunTransition, count?: number): void
  onTransition(listener: TransitionListener): void
}

export const createHooks = (): RunHooks => {
  const listeners: TransitionListener[] = []
  return {
    emit: (transition, count = 1) => {
      if (count > 0) for (const listener of listeners) listener(transition, count)
    },
    onTransition: (listener) => void listeners.push(listener),
  }
}

import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { EventBusConfig } from './config.ts'
import type { EventListener, FindRunProgress, FindWorkflowNames, PauseListener, RunStarter } from './interface.ts'

/** What modules above this one give it in `app.ts`. */
export interface FromAbove {
  /** Workflow names, for the list of an event's decisions. */
  findWorkflowNames: FindWorkflowNames
  /** States of runs, for the outcome of events. */
  findRunProgress: FindRunProgress
  /** Told once when a subscription is paused because its filter keeps failing. */
  onPaused: PauseListener
}

export interface EventBusContext
  extends Pick<
      Kernel<EventBusConfig>,
      | 'audit'
      | 'checks'
      | 'clock'
      | 'config'
      | 'db'
      | 'expressions'
      | 'failpoints'
      | 'ids'
      | 'log'
      | 'nodes'
      | 'quotas'
      | 'search'
      | 'sealer'
      | 'signals'
      | 'tasks'
    >,
    FromAbove {
  /** Throws if the actor's organization is read-only. */
  requireWritable(db: Db, actor: Pick<Actor, 'organizationId'>): Promise<void>
  ports: Ports
}

/** Filled by modules above this one, after it was created. */
export interface Ports {
  starter: RunStarter | undefined
  listeners: EventListener[]
}

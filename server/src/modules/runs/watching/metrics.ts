/** Metrics of runs: active runs and the age of the queue at each scrape, and how runs ended. */
import type { Kernel } from '#kernel/kernel.ts'
import { shareReading } from '#kernel/metrics/index.ts'
import { measureRunsUnscoped } from '../queries/measure-runs.ts'
import type { RunHooks } from '../shared/hooks.ts'

export const registerRunMetrics = (
  { clock, db, metrics }: Pick<Kernel, 'clock' | 'db' | 'metrics'>,
  hooks: RunHooks,
): void => {
  const measure = shareReading(() => measureRunsUnscoped(db, clock.now()))
  metrics.gauge({
    name: 'chancery_runs',
    isShared: true,
    help: 'Runs that have not ended, by state.',
    labels: ['status'],
    read: async () => {
      const { queued, running, waiting } = await measure()
      return [
        [['queued'], queued],
        [['running'], running],
        [['waiting'], waiting],
      ]
    },
  })
  metrics.gauge({
    name: 'chancery_runs_due',
    isShared: true,
    help: 'Runs that are due and not claimed yet.',
    labels: [],
    read: async () => [[[], (await measure()).due]],
  })
  metrics.gauge({
    name: 'chancery_runs_oldest_due_seconds',
    isShared: true,
    help: 'How long the longest of them has been due.',
    labels: [],
    read: async () => [[[], (await measure()).oldestDueMs / 1000]],
  })
  const ended = metrics.counter({
    name: 'chancery_runs_ended_total',
    help: 'Runs that this node has ended.',
    labels: ['status'],
  })
  const transitions = metrics.counter({
    name: 'chancery_run_transitions_total',
    help: 'Runs that this node has claimed, parked, released, lost or dead-lettered.',
    labels: ['transition'],
  })
  const isEnd = new Set(['succeeded', 'failed', 'cancelled', 'timed_out'])
  hooks.onTransition((transition, count) => {
    if (isEnd.has(transition)) ended.of(transition).add(count)
    else transitions.of(transition).add(count)
  })
}

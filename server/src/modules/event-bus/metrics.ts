/** What the bus reports: how much waits to be dispatched, and for how long. Asked at each scrape. */
import type { Kernel } from '#kernel/kernel.ts'
import { shareReading } from '#kernel/metrics/index.ts'
import { readBacklogUnscoped } from './queries/backlog.ts'

export const reportBacklog = ({ db, metrics }: Pick<Kernel, 'db' | 'metrics'>): void => {
  const readBacklog = shareReading(() => readBacklogUnscoped(db))
  metrics.gauge({
    name: 'chancery_events_waiting',
    help: 'Published events that are not dispatched yet.',
    read: async () => (await readBacklog()).count,
  })
  metrics.gauge({
    name: 'chancery_event_lag_seconds',
    help: 'How long ago the oldest of them was published.',
    read: async () => (await readBacklog()).ageSec,
  })
}

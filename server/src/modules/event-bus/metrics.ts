/**
 * The bus's gauges: how much waits to be dispatched and for how long, and what holds up streams. Asked at each scrape.
 */
import type { Kernel } from '#kernel/kernel.ts'
import { shareReading } from '#kernel/metrics/index.ts'
import { countBeyond } from './partitions.ts'
import { readBacklogUnscoped } from './queries/backlog.ts'

export const reportEvents = (
  { db, metrics }: Pick<Kernel, 'db' | 'metrics'>,
  { streamWaitMs }: { streamWaitMs(): number },
): void => {
  const readBacklog = shareReading(() => readBacklogUnscoped(db))
  metrics.gauge({
    name: 'chancery_events_waiting',
    isShared: true,
    help: 'Published events that are not dispatched yet.',
    read: async () => (await readBacklog()).count,
  })
  metrics.gauge({
    name: 'chancery_events_postponed',
    isShared: true,
    help: 'Those of tenants that are over their share of the dispatch, which wait for their turn.',
    read: async () => (await readBacklog()).postponed,
  })
  metrics.gauge({
    name: 'chancery_event_lag_seconds',
    isShared: true,
    help: 'How long ago the oldest of them was published.',
    read: async () => (await readBacklog()).ageSec,
  })
  metrics.gauge({
    name: 'chancery_events_beyond_partitions',
    isShared: true,
    help: 'Positions that were given out beyond the partitions made ahead. Above 0, the job events.partitions is failing.',
    read: () => countBeyond(db),
  })
  metrics.gauge({
    name: 'chancery_event_stream_wait_seconds',
    help: 'How long the live streams of this node have been waiting for open transactions or for the database.',
    read: async () => streamWaitMs() / 1000,
  })
}

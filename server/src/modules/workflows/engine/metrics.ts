/** What the engine reports: runs that are not over by state, asked at each scrape, and how the others ended. */
import type { Kernel } from '#kernel/kernel.ts'
import type { Commit } from './group-writer.ts'
import { countActiveRunsUnscoped } from './queries/active-runs.ts'

/** Wraps what writes the changes of runs, and counts those that end. */
export const countRuns = ({ db, metrics }: Pick<Kernel, 'db' | 'metrics'>, commit: Commit): Commit => {
  metrics.gauge({
    name: 'chancery_runs',
    help: 'Runs that are not over, by state.',
    labels: ['status'],
    read: async () => (await countActiveRunsUnscoped(db)).map(({ status, count }) => [[status], count]),
  })
  const ended = metrics.counter({
    name: 'chancery_runs_ended_total',
    help: 'Runs that this node has brought to an end.',
    labels: ['status'],
  })
  return async (change) => {
    const isWritten = await commit(change)
    const { status } = change.run
    if (isWritten && (status === 'succeeded' || status === 'failed')) ended.of(status).add()
    return isWritten
  }
}

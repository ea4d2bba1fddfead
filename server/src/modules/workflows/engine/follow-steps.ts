/**
 * The steps of a run for somebody who looks again and again. Each look reads which steps there are and how often each has
 * changed; whole, with all that went in and came out, only those are read that changed since the last one.
 */
import type { Db } from '#kernel/db/database.ts'
import { listStepRevisions, listStepsById, type StepRow } from './queries/runs.ts'

/** Steps may be large: so many are held at a time, however many there are. */
const batchSize = 20

export interface StepFollower {
  /** What is new, in the order in which the steps began. A batch counts as seen once it is handed over. */
  changed(): AsyncGenerator<StepRow[]>
  /** From now on all is new again. */
  forget(): void
}

/** With the status: a node of the version before counts no revisions. */
const stateOf = ({ revision, status }: Pick<StepRow, 'revision' | 'status'>): string => `${revision} ${status}`

/** The caller has found the run. */
export const followSteps = (db: Db, runId: string): StepFollower => {
  const seen = new Map<string, string>()
  return {
    changed: async function* () {
      const steps = await listStepRevisions(db, runId)
      const news = steps.filter((step) => seen.get(step.id) !== stateOf(step)).map(({ id }) => id)
      for (let place = 0; place < news.length; place += batchSize) {
        const batch = await listStepsById(db, news.slice(place, place + batchSize))
        for (const step of batch) seen.set(step.id, stateOf(step))
        yield batch
      }
    },
    forget: () => seen.clear(),
  }
}

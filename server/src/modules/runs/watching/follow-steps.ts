/**
 * The steps of a run for a live view. Each poll reads which steps there are and their revisions, and then reads in full,
 * with inputs and outputs, only the steps that changed since the last poll.
 */
import type { Db } from '#kernel/db/database.ts'
import { listStepRevisionsUnscoped, listStepsByIdUnscoped, type StepRow } from '../queries/steps.ts'

/** Steps may be large: this many are in memory at a time. */
const batchSize = 20

export interface StepFollower {
  /** Changed steps, in the order in which they started. A batch counts as seen once it is yielded. */
  changed(): AsyncGenerator<StepRow[]>
  /** Treats every step as changed again. */
  forget(): void
}

/** Includes the status: servers of the previous version don't count revisions. */
const stateOf = ({ revision, status }: Pick<StepRow, 'revision' | 'status'>): string => `${revision} ${status}`

/** The caller has found the run. */
export const followSteps = (db: Db, runId: string): StepFollower => {
  const seen = new Map<string, string>()
  return {
    changed: async function* () {
      const steps = await listStepRevisionsUnscoped(db, runId)
      const changed = steps.filter((step) => seen.get(step.id) !== stateOf(step)).map(({ id }) => id)
      for (let start = 0; start < changed.length; start += batchSize) {
        const batch = await listStepsByIdUnscoped(db, changed.slice(start, start + batchSize))
        for (const step of batch) seen.set(step.id, stateOf(step))
        yield batch
      }
    },
    forget: () => seen.clear(),
  }
}

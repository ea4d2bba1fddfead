/** Checks the promises P1 to P3, from the tables and from what the outside saw. */
import type { Db } from '../server/src/kernel/db/database.ts'
import { findBreaches, promises } from '../server/test/harness/breaches.ts'
import type { Published, Workflows } from './load.ts'

interface Evidence extends Published {
  workflows: Workflows
  /** Paths of the calls that may happen only once. */
  onceCalls: readonly string[]
}

/** The nodes' copies of the database's time may be this far apart. */
const toleranceMs = 500

/** The broken promises, each with what breaks it. */
export const checkInvariants = async (db: Db, evidence: Evidence): Promise<Map<string, unknown[]>> => {
  const { accepted, doubled, workflows, onceCalls } = evidence
  const breaches = await findBreaches(db, toleranceMs)
  const ids = new Set(accepted)
  const stored = await db.selectFrom('events').select('eventId').where('eventType', '=', 'start').execute()
  const storedIds = new Set(stored.map(({ eventId }) => eventId))
  const decided = await db.selectFrom('eventDeliveries').select(['eventId', 'workflowId']).execute()
  const decisions = new Set(decided.map(({ eventId, workflowId }) => `${eventId} ${workflowId}`))
  const runs = await db.selectFrom('runs').select(['id', 'workflowId', 'eventId', 'status', 'error']).execute()
  // Its call may not be repeated, so it fails where the call was cut off and nobody knows whether it arrived.
  const mayFail = ({ workflowId, status }: (typeof runs)[number]): boolean =>
    workflowId === workflows.once && status === 'failed'
  return new Map<string, unknown[]>([
    ['P1: an accepted event that is not stored', [...ids].filter((id) => !storedIds.has(id))],
    ['P1: a stored event that nobody was told of', [...storedIds].filter((id) => !ids.has(id))],
    ['P1: one key that became two events', doubled],
    [
      'P1: an accepted event without a decision for each subscription',
      [...ids].filter((id) => Object.values(workflows).some((workflow) => !decisions.has(`${id} ${workflow}`))),
    ],
    ...promises.map((promise): [string, unknown[]] => [promise, breaches[promise] ?? []]),
    ['P3: a run that did not end well', runs.filter((run) => run.status !== 'succeeded' && !mayFail(run))],
    [
      'P3: a call that may happen once and was made twice',
      onceCalls.filter((path, at) => onceCalls.indexOf(path) < at),
    ],
    [
      'P3: a run that succeeded without its call',
      runs.filter(
        ({ workflowId, status, eventId }) =>
          workflowId === workflows.once && status === 'succeeded' && !onceCalls.includes(`/once/${eventId}`),
      ),
    ],
  ])
}

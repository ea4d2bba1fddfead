/**
 * Saves changes of many runs in one commit. Changes that arrive while others are being written go together next; a single
 * one doesn't wait. Each change carries its run's epoch, and a stale one changes nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import { createBatcher } from '#kernel/batcher.ts'
import type { Db } from '#kernel/db/database.ts'
import type { NewEvent } from '#modules/event-bus/index.ts'
import { isTransient } from '../core/backoff.ts'
import { insertApprovalUnscoped } from '../queries/approvals.ts'
import { endChildrenUnscoped } from '../queries/children.ts'
import { cancelStepsUnscoped, nudgeRunsUnscoped } from '../queries/claims.ts'
import { insertRunsUnscoped } from '../queries/runs.ts'
import { type RunWrite, type StepWrite, saveRunsUnscoped, type TraceWrite } from '../queries/save-runs.ts'
import { copyFinishedStepsUnscoped } from '../queries/steps.ts'
import type { ApprovalsTable, RunsTable, RunWaitsTable } from '../queries/tables.ts'
import { insertWaitUnscoped } from '../queries/waits.ts'
import type { RunsContext } from '../shared/context.ts'
import type { RunTransition } from '../shared/hooks.ts'
import { mailApproval } from './approval-mail.ts'

export interface RunChange {
  run: RunWrite
  steps: StepWrite[]
  /** Model calls of agents. */
  trace: TraceWrite[]
  events: NewEvent[]
  approvals: { row: Insertable<ApprovalsTable>; addresses: readonly string[] }[]
  waits: Insertable<RunWaitsTable>[]
  children: Insertable<RunsTable>[]
  /** Children that continue another run take over its finished steps. */
  takeovers: { from: string; to: string }[]
  /** The run has failed: its active children end with it, in the same transaction. */
  endsChildren: boolean
  /** The parent run that waits for the end of this one; null while this one goes on. */
  endsFor: string | null
}

/** False: another node holds the run by now, and nothing of the change was written. */
export type SaveChange = (change: RunChange) => Promise<boolean>

type Needs = Pick<RunsContext, 'kernel' | 'bus' | 'notifier' | 'hooks' | 'nodeId' | 'wake'>

/** The transition of a run, by the status of a change that was saved. */
const savedAs: Readonly<Record<string, RunTransition>> = {
  waiting: 'parked',
  queued: 'released',
  succeeded: 'succeeded',
  failed: 'failed',
}

const maxTries = 8

export const createGroupWriter = (options: Needs): SaveChange =>
  createBatcher({
    write: async (changes: readonly RunChange[]) => {
      const held = await writeWithRetries(options, changes)
      return changes.map((change) => {
        const isHeld = held.has(change.run.id)
        const transition = isHeld && change.run.status !== null ? savedAs[change.run.status] : undefined
        if (transition) options.hooks.emit(transition)
        return isHeld
      })
    },
    // A change that the database refuses must not fail the others.
    isItemsFault: (problem) => !isTransient(problem),
    maxParallel: 2,
    parallelFrom: 0,
    maxItems: 200,
  })

/** Writing a change twice is safe: its ids are fixed and final states stay. So after a lost connection it is repeated. */
const writeWithRetries = async (options: Needs, changes: readonly RunChange[]): Promise<Set<string>> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await write(options, changes)
    } catch (problem) {
      if (attempt === maxTries || !isTransient(problem)) throw problem
      await sleep(Math.random() * 50 * 2 ** attempt, undefined, { ref: false })
    }
}

const write = async (options: Needs, changes: readonly RunChange[]): Promise<Set<string>> => {
  const { kernel, bus, nodeId, notifier, wake } = options
  const { db, failpoints, clock } = kernel
  const needsTransaction = changes.some(writesBeside)
  await failpoints.hit('step: before it is written')
  const runs = changes.map(({ run }) => run)
  const steps = changes.flatMap((change) => change.steps)
  const trace = changes.flatMap((change) => change.trace)
  const writing = { nodeId, now: clock.now(), runs, steps, trace }
  let endedChildren: string[] = []
  const held = needsTransaction
    ? await db.transaction().execute(async (tx) => {
        const saved = await saveRunsUnscoped(tx, writing)
        const ours = changes.filter(({ run }) => saved.has(run.id))
        await writeBeside(options, tx, ours)
        endedChildren = await endChildren(options, tx, ours)
        return saved
      })
    : await saveRunsUnscoped(db, writing)
  await failpoints.hit('step: committed')
  notifier.notify([...held])
  if (endedChildren.length > 0) notifier.nudge(endedChildren)
  if (!needsTransaction) return held
  const published = changes.flatMap(({ events }) => events.map(({ scopeId }) => scopeId))
  if (published.length > 0) bus.wake(published)
  if (changes.some(({ children }) => children.length > 0)) wake()
  const parents = changes.flatMap(({ run, endsFor }) => (held.has(run.id) ? (endsFor ?? []) : []))
  if (parents.length > 0) notifier.nudge(parents)
  return held
}

/** True when the change has rows in other tables than those that one statement writes. */
const writesBeside = ({ events, approvals, waits, children, endsChildren, endsFor }: RunChange): boolean =>
  events.length + approvals.length + waits.length + children.length > 0 || endsChildren || endsFor !== null

const writeBeside = async ({ kernel, bus }: Needs, tx: Db, changes: readonly RunChange[]): Promise<void> => {
  const { failpoints, clock } = kernel
  await failpoints.hit('step: steps written')
  const events = changes.flatMap((change) => change.events)
  if (events.length > 0) await bus.publish(tx, events)
  await failpoints.hit('step: events published')
  for (const wait of changes.flatMap(({ waits }) => waits)) await insertWaitUnscoped(tx, wait)
  await failpoints.hit('step: waits written')
  for (const approval of changes.flatMap(({ approvals }) => approvals)) {
    await insertApprovalUnscoped(tx, approval.row)
    await failpoints.hit('step: approval written')
    await mailApproval(kernel, tx, approval)
  }
  await failpoints.hit('step: approvals asked')
  await startChildren(tx, changes)
  await failpoints.hit('step: children started')
  const parents = changes.flatMap(({ endsFor }) => endsFor ?? []).sort()
  await nudgeRunsUnscoped(tx, parents, clock.now())
  await failpoints.hit('step: parents nudged')
}

/** A child that exists already, because the change is written a second time, has taken over its steps. */
const startChildren = async (tx: Db, changes: readonly RunChange[]): Promise<void> => {
  const children = changes.flatMap((change) => change.children)
  if (children.length === 0) return
  const inserted = await insertRunsUnscoped(tx, children)
  const takeovers = changes.flatMap((change) => change.takeovers).filter(({ to }) => inserted.has(to))
  for (const takeover of takeovers) await copyFinishedStepsUnscoped(tx, takeover)
}

const endChildren = async (
  { kernel: { clock, failpoints } }: Needs,
  tx: Db,
  changes: readonly RunChange[],
): Promise<string[]> => {
  const parents = changes.filter(({ endsChildren }) => endsChildren).map(({ run }) => run.id)
  if (parents.length === 0) return []
  const ended = await endChildrenUnscoped(tx, parents, clock.now())
  await cancelStepsUnscoped(tx, ended, clock.now())
  await failpoints.hit('step: children ended')
  return ended
}

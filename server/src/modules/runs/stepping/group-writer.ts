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
import { nudgeRunsUnscoped } from '../queries/claims.ts'
import { type RunWrite, type StepWrite, saveRunsUnscoped, type TraceWrite } from '../queries/save-runs.ts'
import type { ApprovalsTable, RunWaitsTable } from '../queries/tables.ts'
import { insertWaitUnscoped } from '../queries/waits.ts'
import type { RunsContext } from '../shared/context.ts'
import type { RunTransition } from '../shared/hooks.ts'
import { tooManyRuns } from '../shared/too-many-runs.ts'
import { mailApproval } from './approval-mail.ts'
import { type FamilyChange, lockForChildren, startChildren } from './start-children.ts'

export interface RunChange extends FamilyChange {
  run: RunWrite
  steps: StepWrite[]
  /** Model calls of agents. */
  trace: TraceWrite[]
  events: NewEvent[]
  approvals: { row: Insertable<ApprovalsTable>; addresses: readonly string[] }[]
  waits: Insertable<RunWaitsTable>[]
  /** The run has failed: none of its children starts after this, and the active ones are ended. */
  endsChildren: boolean
}

/**
 * False: another node holds the run by now, and nothing of the change was written. Throws where its tree has as many runs
 * as it may have: then nothing was written either.
 */
export type SaveChange = (change: RunChange) => Promise<boolean>

type Needs = Pick<RunsContext, 'kernel' | 'bus' | 'notifier' | 'hooks' | 'nodeId' | 'wake' | 'endFamilies'>

type Outcome = 'saved' | 'lost' | 'refused'

/** The transition of a run, by the status of a change that was saved. */
const savedAs: Readonly<Record<string, RunTransition>> = {
  waiting: 'parked',
  queued: 'released',
  succeeded: 'succeeded',
  failed: 'failed',
}

const maxTries = 8

/** Those that lock their parents, or the tops of their trees, wait for each other: few at a time, and apart from others. */
const maxOfFamilies = 25

export const createGroupWriter = (options: Needs): SaveChange => {
  const writePlain = createWriter(options, 200)
  const writeFamily = createWriter(options, maxOfFamilies)
  return async (change) => {
    const outcome = await (isOfFamily(change) ? writeFamily : writePlain)(change)
    if (outcome === 'refused') throw tooManyRuns(options.kernel.config.SVC_RUN_MAX_DESCENDANTS)
    return outcome === 'saved'
  }
}

/** True when it touches other runs: children that start, or the parent that is told of the end. */
const isOfFamily = ({ children, endsFor }: RunChange): boolean => children.length > 0 || endsFor !== null

const createWriter = (options: Needs, maxItems: number) =>
  createBatcher({
    write: async (changes: readonly RunChange[]) => {
      const { held, refused } = await writeWithRetries(options, changes)
      return changes.map((change): Outcome => {
        if (refused.has(change)) return 'refused'
        const isHeld = held.has(change.run.id)
        const transition = isHeld && change.run.status !== null ? savedAs[change.run.status] : undefined
        if (transition) options.hooks.emit(transition)
        return isHeld ? 'saved' : 'lost'
      })
    },
    // A change that the database refuses must not fail the others.
    isItemsFault: (problem) => !isTransient(problem),
    maxParallel: 2,
    parallelFrom: 0,
    maxItems,
  })

/** Writing a change twice is safe: its ids are fixed and final states stay. So after a lost connection it is repeated. */
const writeWithRetries = async (options: Needs, changes: readonly RunChange[]): Promise<Written> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await write(options, changes)
    } catch (problem) {
      if (attempt === maxTries || !isTransient(problem)) throw problem
      await sleep(Math.random() * 50 * 2 ** attempt, undefined, { ref: false })
    }
}

interface Written {
  held: ReadonlySet<string>
  refused: ReadonlySet<RunChange>
}

const write = async (options: Needs, changes: readonly RunChange[]): Promise<Written> => {
  const { db, failpoints } = options.kernel
  const needsTransaction = changes.some(writesBeside)
  await failpoints.hit('step: before it is written')
  const written = needsTransaction
    ? await db.transaction().execute((tx) => writeIn(options, tx, changes))
    : { held: await save(options, db, changes), refused: new Set<RunChange>() }
  await failpoints.hit('step: committed')
  announce(options, changes, written)
  return written
}

const writeIn = async (options: Needs, tx: Db, changes: readonly RunChange[]): Promise<Written> => {
  const refused = await lockForChildren(tx, changes, options.kernel.config.SVC_RUN_MAX_DESCENDANTS)
  const held = await save(
    options,
    tx,
    changes.filter((change) => !refused.has(change)),
  )
  const ours = changes.filter(({ run }) => held.has(run.id))
  await writeBeside(options, tx, ours)
  return { held, refused }
}

/** In the order of their ids, as all who lock several runs. Returns those that this node held. */
const save = ({ kernel, nodeId }: Needs, db: Db, changes: readonly RunChange[]): Promise<Set<string>> =>
  saveRunsUnscoped(db, {
    nodeId,
    now: kernel.clock.now(),
    runs: changes.map(({ run }) => run).sort((one, other) => (one.id < other.id ? -1 : 1)),
    steps: changes.flatMap((change) => change.steps),
    trace: changes.flatMap((change) => change.trace),
  })

const announce = (options: Needs, changes: readonly RunChange[], { held }: Written): void => {
  const { bus, notifier, wake, endFamilies } = options
  notifier.notify([...held])
  const published = changes.flatMap(({ events }) => events.map(({ scopeId }) => scopeId))
  if (published.length > 0) bus.wake(published)
  if (changes.some(({ children }) => children.length > 0)) wake()
  if (changes.some(({ endsChildren }) => endsChildren)) endFamilies()
  const parents = changes.flatMap(({ run, endsFor }) => (held.has(run.id) ? (endsFor ?? []) : []))
  if (parents.length > 0) notifier.nudge(parents)
}

/** True when the change has rows in other tables than those that one statement writes. */
const writesBeside = ({ events, approvals, waits, children, endsFor }: RunChange): boolean =>
  events.length + approvals.length + waits.length + children.length > 0 || endsFor !== null

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

/**
 * Writes what workers bring: many steps of many runs in one commit. What arrives while others are being written goes
 * together next; alone, nobody waits. Each change carries its run's epoch, and one that is stale changes nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import { createBatcher } from '#kernel/batcher.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { EventBus, NewEvent } from '#modules/event-bus/index.ts'
import type { ApprovalsTable, RunsTable, RunWaitsTable } from '../run-tables.ts'
import { mailApproval } from './approval-mail.ts'
import { NodeFailure } from './backoff.ts'
import type { Changes } from './changes.ts'
import { insertApproval } from './queries/approvals.ts'
import { nudgeRunsUnscoped } from './queries/claims.ts'
import { type RunDraft, type StepDraft, writeRunsUnscoped } from './queries/commit.ts'
import { insertRuns } from './queries/runs.ts'
import { insertWait } from './queries/waits.ts'

export interface RunChange {
  run: RunDraft
  steps: StepDraft[]
  events: NewEvent[]
  approvals: { row: Insertable<ApprovalsTable>; workflowName: string; addresses: readonly string[] }[]
  waits: Insertable<RunWaitsTable>[]
  children: Insertable<RunsTable>[]
  /** The run that waits for the end of this one; null while it goes on. */
  endsFor: string | null
}

/** False: the run is somebody else's by now, and nothing of the change was written. */
export type Commit = (change: RunChange) => Promise<boolean>

interface Options {
  kernel: Kernel
  bus: Pick<EventBus, 'publish' | 'wake'>
  changes: Pick<Changes, 'tell' | 'nudge'>
  nodeId: string
  /** Called when a commit left runs to be taken up. */
  wake(): void
}

const tries = 8

export const createGroupWriter = (options: Options): Commit =>
  createBatcher({
    write: async (changes: readonly RunChange[]) => {
      const held = await writeInTime(options, changes)
      return changes.map(({ run }) => held.has(run.id))
    },
    // One that the database refuses must not take the others with it.
    isItemsFault: (problem) => !isPassing(problem),
    maxParallel: 2,
    parallelFrom: 0,
    maxItems: 200,
  })

/** A change may be written twice: ids are fixed, and what is final stays. So a lost connection is simply tried again. */
const writeInTime = async (options: Options, changes: readonly RunChange[]): Promise<Set<string>> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await write(options, changes)
    } catch (problem) {
      if (attempt === tries || !isPassing(problem)) throw problem
      await sleep(Math.random() * 50 * 2 ** attempt, undefined, { ref: false })
    }
}

/** Lost connections, a database that restarts, deadlocks. */
export const isPassing = (problem: unknown): boolean => {
  if (!(problem instanceof Error) || problem instanceof AppError || problem instanceof NodeFailure) return false
  const { code } = problem as { code?: unknown }
  if (typeof code !== 'string') return /connection|terminat|timeout/i.test(problem.message)
  return /^(08|40|53|57P)/.test(code) || /^E[A-Z]+$/.test(code)
}

const write = async (options: Options, changes: readonly RunChange[]): Promise<Set<string>> => {
  const { kernel, bus, nodeId, wake } = options
  const { db, failpoints, clock } = kernel
  const isAlone = changes.every(isOnlySteps)
  await failpoints.hit('step: before it is written')
  const writing = { nodeId, now: clock.now(), runs: changes.map(({ run }) => run), steps: changes.flatMap(stepsOf) }
  const held = isAlone
    ? await writeRunsUnscoped(db, writing)
    : await db.transaction().execute(async (tx) => {
        const ours = await writeRunsUnscoped(tx, writing)
        await writeBeside(
          options,
          tx,
          changes.filter(({ run }) => ours.has(run.id)),
        )
        return ours
      })
  await failpoints.hit('step: committed')
  options.changes.tell([...held])
  if (isAlone) return held
  if (changes.some(({ events }) => events.length > 0)) bus.wake()
  if (changes.some(({ children }) => children.length > 0)) wake()
  const parents = changes.flatMap(({ run, endsFor }) => (held.has(run.id) ? (endsFor ?? []) : []))
  if (parents.length > 0) options.changes.nudge(parents)
  return held
}

const stepsOf = ({ steps }: RunChange): StepDraft[] => steps

const isOnlySteps = ({ events, approvals, waits, children, endsFor }: RunChange): boolean =>
  events.length + approvals.length + waits.length + children.length === 0 && endsFor === null

/** What belongs to the steps and lives in other tables, in their transaction. */
const writeBeside = async ({ kernel, bus }: Options, tx: Db, changes: readonly RunChange[]): Promise<void> => {
  const { failpoints, clock } = kernel
  await failpoints.hit('step: steps written')
  const events = changes.flatMap((change) => change.events)
  if (events.length > 0) await bus.publish(tx, events)
  await failpoints.hit('step: events published')
  for (const wait of changes.flatMap(({ waits }) => waits)) await insertWait(tx, wait)
  await failpoints.hit('step: waits written')
  for (const approval of changes.flatMap(({ approvals }) => approvals)) {
    await insertApproval(tx, approval.row)
    await failpoints.hit('step: approval written')
    await mailApproval(kernel, tx, approval)
  }
  await failpoints.hit('step: approvals asked')
  const children = changes.flatMap((change) => change.children)
  if (children.length > 0) await insertRuns(tx, children)
  await failpoints.hit('step: children started')
  const parents = changes.flatMap(({ endsFor }) => endsFor ?? []).sort()
  await nudgeRunsUnscoped(tx, parents, clock.now())
  await failpoints.hit('step: parents nudged')
}

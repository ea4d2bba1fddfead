/** Child runs: workflows that a node starts and waits for. */
import type { Db } from '#kernel/db/database.ts'
import { NodeFailure } from '../core/backoff.ts'
import {
  type ChildRow,
  getRunUnscoped,
  listChildrenOfLineUnscoped,
  listChildrenUnscoped,
  listOutputsUnscoped,
} from '../queries/children.ts'
import { countDescendantsUnscoped } from '../queries/descendants.ts'
import { rootOf } from '../shared/create-runs.ts'
import type { Definitions } from '../shared/definitions.ts'
import { hasLostSteps, lostSteps } from '../shared/lost-steps.ts'
import type { LiveVersion } from '../shared/new-run.ts'
import type { NodeCall, RetriedChild, Waiting } from '../shared/node-interface.ts'
import { tooManyRuns } from '../shared/too-many-runs.ts'

export interface ChildNeeds {
  db: Db
  /** The most runs of one tree. */
  maxDescendants: number
  definitions: Pick<Definitions, 'findLiveUnscoped'>
}

/** As deep as events may chain, so that a workflow that calls itself ends. */
const maxDepth = 10

/** The version to start now. Throws when the workflow isn't published or belongs to another scope. */
export const getLive = async (
  { db, definitions }: ChildNeeds,
  { run }: Pick<NodeCall, 'run'>,
  workflowId: string,
): Promise<LiveVersion> => {
  if (run.hop >= maxDepth)
    throw new NodeFailure(`Workflows called each other ${maxDepth} levels deep, which looks like a loop.`, {
      canRetry: false,
    })
  const live = (await definitions.findLiveUnscoped(db, [workflowId])).get(workflowId)
  if (live?.scopeId === run.scopeId) return live
  throw new NodeFailure("The workflow it calls doesn't exist or isn't published.", { canRetry: false })
}

/** Fails the node where the tree of its run has no room for more. The transaction that starts them counts again. */
export const requireRoom = async (
  { db, maxDescendants }: ChildNeeds,
  { run }: Pick<NodeCall, 'run'>,
  more: number,
): Promise<void> => {
  const count = await countDescendantsUnscoped(db, rootOf(run))
  if (count + more > maxDescendants) throw tooManyRuns(maxDescendants)
}

export interface Child {
  runId: string
  index: number
  state: 'active' | 'succeeded' | 'failed'
  /** True when this run started it. Otherwise an earlier run of the line of retries did, or someone retried it. */
  isOwn: boolean
  error: string
}

type Parent = Pick<NodeCall, 'run' | 'node'>

/**
 * The child of each index. In a line of retries that is the one that succeeded, whichever run started it; else the one
 * that is active; else the one that failed last.
 */
export const listChildren = async ({ db }: ChildNeeds, { run, node }: Parent): Promise<Map<number, Child>> => {
  const rows =
    run.retryOf === null
      ? await listChildrenUnscoped(db, run.id, node.id)
      : await listChildrenOfLineUnscoped(db, run.retryOf, node.id)
  const children = new Map<number, Child>()
  for (const row of rows) {
    const child = childOf(row, { run, node })
    const known = children.get(child.index)
    if (!known || rank[child.state] >= rank[known.state]) children.set(child.index, child)
  }
  return children
}

const rank: Record<Child['state'], number> = { failed: 0, active: 1, succeeded: 2 }

const childOf = ({ id, status, error, parentRunId, parentStep }: ChildRow, { run, node }: Parent): Child => ({
  runId: id,
  index: Number(parentStep?.slice(node.id.length + 1)),
  state:
    status === 'succeeded'
      ? 'succeeded'
      : status === 'queued' || status === 'running' || status === 'waiting'
        ? 'active'
        : 'failed',
  isOwn: parentRunId === run.id,
  error: error ?? `It was ${status}.`,
})

/** Outputs by index. They may be large, so they are read once all children have ended. */
export const readOutputs = async ({ db }: ChildNeeds, children: Iterable<Child>): Promise<Map<number, unknown>> => {
  const indexes = new Map([...children].map(({ runId, index }) => [runId, index]))
  const rows = await listOutputsUnscoped(db, [...indexes.keys()])
  return new Map(rows.map(({ id, output }) => [indexes.get(id) ?? 0, output]))
}

const pollMs = 5000

/** Own children nudge their parent when they end. Others don't, so their state is checked again later. */
export const waitFor = (children: Iterable<Child>, now: Date): Waiting => {
  const needsPoll = [...children].some(({ state, isOwn }) => state === 'active' && !isOwn)
  return { kind: 'waiting', wakeAt: needsPoll ? new Date(now.getTime() + pollMs) : null }
}

/** Continues a child that failed in an earlier run of the line, so that nothing it finished is repeated. */
export const continueChild = async ({ db }: Pick<ChildNeeds, 'db'>, { runId, index }: Child): Promise<RetriedChild> => {
  const retry = await getRunUnscoped(db, runId)
  if (await hasLostSteps(db, retry)) throw new NodeFailure(lostSteps, { canRetry: false })
  return { retry, index }
}

/** Not retried: the child's nodes had their own attempts, and repeating the child would repeat finished work. */
export const failed = (what: string, { error }: Child): NodeFailure =>
  new NodeFailure(`${what} failed: ${error}`, { canRetry: false })

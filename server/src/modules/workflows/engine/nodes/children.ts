/** Child runs: workflows that a node starts and waits for. */
import type { Db } from '#kernel/db/database.ts'
import type { LiveVersion } from '../../engine-face.ts'
import { findLiveVersionsUnscoped } from '../../queries/live-versions.ts'
import { NodeFailure } from '../core/backoff.ts'
import type { NodeCall } from '../node-face.ts'
import { listChildOutputsUnscoped, listChildrenUnscoped } from '../queries/runs.ts'

export interface ChildNeeds {
  db: Db
}

/** As deep as events may chain, so that a workflow that calls itself ends. */
const maxDepth = 10

/** The version to start now. Throws when the workflow isn't published or belongs to another scope. */
export const getLive = async (
  { db }: ChildNeeds,
  { run }: Pick<NodeCall, 'run'>,
  workflowId: string,
): Promise<LiveVersion> => {
  if (run.hop >= maxDepth)
    throw new NodeFailure(`Workflows called each other ${maxDepth} levels deep, which looks like a loop.`, {
      canRetry: false,
    })
  const live = (await findLiveVersionsUnscoped(db, [workflowId])).get(workflowId)
  if (live?.scopeId === run.scopeId) return live
  throw new NodeFailure("The workflow it calls doesn't exist or isn't published.", { canRetry: false })
}

export interface Child {
  index: number
  isActive: boolean
  hasSucceeded: boolean
  error: string
}

type Parent = Pick<NodeCall, 'run' | 'node'>

const indexFrom = ({ node }: Parent, parentStep: string | null): number => Number(parentStep?.slice(node.id.length + 1))

/** Includes children that an earlier attempt of the node started. */
export const listChildren = async ({ db }: ChildNeeds, parent: Parent): Promise<Child[]> => {
  const rows = await listChildrenUnscoped(db, parent.run.id, parent.node.id)
  return rows.map(({ status, error, parentStep }) => ({
    index: indexFrom(parent, parentStep),
    isActive: status === 'queued' || status === 'running' || status === 'waiting',
    hasSucceeded: status === 'succeeded',
    error: error ?? `It was ${status}.`,
  }))
}

/** Outputs by index. They may be large, so they are read once all children have ended. */
export const readOutputs = async ({ db }: ChildNeeds, parent: Parent): Promise<Map<number, unknown>> => {
  const rows = await listChildOutputsUnscoped(db, parent.run.id, parent.node.id)
  return new Map(rows.map(({ output, parentStep }) => [indexFrom(parent, parentStep), output]))
}

/** Not retried: the child's nodes had their own attempts, and repeating the child would repeat finished work. */
export const failed = (what: string, { error }: Child): NodeFailure =>
  new NodeFailure(`${what} failed: ${error}`, { canRetry: false })

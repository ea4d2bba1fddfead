/** Other workflows as part of this one: what they were started with, and how they ended. */
import type { Db } from '#kernel/db/database.ts'
import type { LiveVersion } from '../../engine-face.ts'
import { findLiveVersionsUnscoped } from '../../queries/live-versions.ts'
import { NodeFailure } from '../backoff.ts'
import type { NodeCall } from '../node-face.ts'
import { listChildrenUnscoped } from '../queries/runs.ts'

export interface ChildNeeds {
  db: Db
}

/** As deep as events may chain: a workflow that calls itself comes to an end. */
const deepest = 10

/** The version to start now. Throws where there is none, or none of this scope. */
export const getLive = async (
  { db }: ChildNeeds,
  { run }: Pick<NodeCall, 'run'>,
  workflowId: string,
): Promise<LiveVersion> => {
  if (run.hop >= deepest)
    throw new NodeFailure(`Workflows have called each other ${deepest} deep; this is taken for a circle.`, {
      canRetry: false,
    })
  const live = (await findLiveVersionsUnscoped(db, [workflowId])).get(workflowId)
  if (live?.scopeId === run.scopeId) return live
  throw new NodeFailure('The workflow it calls does not exist or is not published.', { canRetry: false })
}

export interface Child {
  place: number
  isActive: boolean
  hasSucceeded: boolean
  output: unknown
  error: string
}

export const listChildren = async (
  { db }: ChildNeeds,
  { run, node }: Pick<NodeCall, 'run' | 'node'>,
): Promise<Child[]> => {
  const rows = await listChildrenUnscoped(db, run.id, node.id)
  return rows.map(({ status, output, error, parentStep }) => ({
    place: Number(parentStep?.slice(node.id.length + 1)),
    isActive: status === 'queued' || status === 'running' || status === 'waiting',
    hasSucceeded: status === 'succeeded',
    output,
    error: error ?? `It was ${status}.`,
  }))
}

/** Its own nodes had their attempts; another one of the whole would repeat what is done. */
export const failed = (what: string, { error }: Child): NodeFailure =>
  new NodeFailure(`${what} failed: ${error}`, { canRetry: false })

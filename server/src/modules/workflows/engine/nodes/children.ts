/** Other workflows as part of this one: what they were started with, and how they ended. */
import type { Db } from '#kernel/db/database.ts'
import type { LiveVersion } from '../../engine-face.ts'
import { findLiveVersionsUnscoped } from '../../queries/live-versions.ts'
import { NodeFailure } from '../backoff.ts'
import type { NodeCall } from '../node-face.ts'
import { listChildOutputsUnscoped, listChildrenUnscoped } from '../queries/runs.ts'

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
  error: string
}

type Parent = Pick<NodeCall, 'run' | 'node'>

const placeOf = ({ node }: Parent, parentStep: string | null): number => Number(parentStep?.slice(node.id.length + 1))

/** Also those that an earlier attempt of the node started. */
export const listChildren = async ({ db }: ChildNeeds, parent: Parent): Promise<Child[]> => {
  const rows = await listChildrenUnscoped(db, parent.run.id, parent.node.id)
  return rows.map(({ status, error, parentStep }) => ({
    place: placeOf(parent, parentStep),
    isActive: status === 'queued' || status === 'running' || status === 'waiting',
    hasSucceeded: status === 'succeeded',
    error: error ?? `It was ${status}.`,
  }))
}

/** What they came to, by their places. It may be much, so it is read when all have ended. */
export const readOutputs = async ({ db }: ChildNeeds, parent: Parent): Promise<Map<number, unknown>> => {
  const rows = await listChildOutputsUnscoped(db, parent.run.id, parent.node.id)
  return new Map(rows.map(({ output, parentStep }) => [placeOf(parent, parentStep), output]))
}

/** Its own nodes had their attempts; another one of the whole would repeat what is done. */
export const failed = (what: string, { error }: Child): NodeFailure =>
  new NodeFailure(`${what} failed: ${error}`, { canRetry: false })

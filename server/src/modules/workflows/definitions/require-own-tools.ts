/**
 * A key that is held to routes publishes no workflow with tools that it couldn't use itself, and lets no trigger start
 * one: what a trigger starts has all tools of the person it acts for, in the workflows that it calls too.
 */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { isUuid } from '#kernel/ids.ts'
import { notAllowed } from '#modules/tools/index.ts'
import { kindOf } from '#modules/workflow-graph/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { findLiveVersionsUnscoped } from '../queries/live-versions.ts'
import { findGraphUnscoped } from '../queries/versions.ts'
import { openGraph } from './sealed-graph.ts'

/** The workflows that start: this graph, and these as they are published. */
interface Started {
  graph?: Graph
  workflowIds?: readonly (string | null)[]
}

/** Throws `tool_not_allowed`. */
export const requireOwnTools = async (
  context: Pick<WorkflowsContext, 'kernel' | 'tools'>,
  tx: Db,
  actor: Actor,
  { graph, workflowIds = [] }: Started,
): Promise<void> => {
  if (actor.credential.allowedRoutes === null) return
  const graphs = await withCalled(context, tx, actor, {
    graphs: graph ? [graph] : [],
    called: workflowIds.filter((id) => id !== null),
  })
  const used = [...new Set(graphs.flatMap(toolsIn))]
  const open = new Set(await context.tools.withinRoutes(actor, used))
  const closed = used.find((id) => !open.has(id))
  if (closed !== undefined) throw notAllowed(closed)
}

interface Found {
  graphs: readonly Graph[]
  called: readonly string[]
}

/** With the published graphs of the workflows that they call, however many steps away. */
const withCalled = async (
  { kernel }: Pick<WorkflowsContext, 'kernel'>,
  tx: Db,
  actor: Actor,
  start: Found,
): Promise<readonly Graph[]> => {
  const graphs = [...start.graphs]
  const seen = new Set<string>()
  let next = [...start.called, ...start.graphs.flatMap(calledIn)]
  while (next.length > 0) {
    for (const id of next) seen.add(id)
    const live = [...(await findLiveVersionsUnscoped(tx, next)).values()]
    const found: Graph[] = []
    for (const { workflowId, scopeId, graphHash } of live) {
      const sealed = scopeId === scopeOf(actor) ? await findGraphUnscoped(tx, workflowId, graphHash) : undefined
      if (sealed) found.push(openGraph(kernel, workflowId, sealed))
    }
    graphs.push(...found)
    next = [...new Set(found.flatMap(calledIn))].filter((id) => !seen.has(id))
  }
  return graphs
}

const calledIn = ({ nodes }: Graph): string[] =>
  nodes.flatMap(({ config: { workflow_id: id } }) => (typeof id === 'string' && isUuid(id) ? [id.toLowerCase()] : []))

const toolsIn = ({ nodes }: Graph): string[] => nodes.flatMap(({ type, config }) => kindOf(type).tools?.(config) ?? [])

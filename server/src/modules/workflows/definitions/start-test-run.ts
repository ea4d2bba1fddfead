/**
 * Runs a workflow's draft, or one node of it, to try it. The run is pinned to the draft as it is now, like any run to its
 * graph; no version is made, and no trigger starts it. Only who may publish the draft can run it with effects: for
 * everybody else the test is one without.
 */

import { can } from '@chancery/contract/abilities.ts'
import { defaultDeadlineSec, type Graph } from '@chancery/contract/workflows/graph.ts'
import type { TestRunBody } from '@chancery/contract/workflows/runs.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { nilId } from '#kernel/ids.ts'
import { type NewRun, type Runs, sampleState } from '#modules/runs/index.ts'
import { hashGraph, kindOf } from '#modules/workflow-graph/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { findCatalogUnscoped } from '../queries/catalogs.ts'
import { insertGraphUnscoped } from '../queries/versions.ts'
import type { LockedWorkflow } from '../queries/workflows.ts'
import { findProblems, throwProblems } from './find-problems.ts'
import { getLockedWorkflow } from './get-workflow.ts'
import { openGraph, sealGraph } from './sealed-graph.ts'

type Body = NonNullable<z.output<typeof TestRunBody>>

interface Request {
  workflowId: string
  body: Body
  from: Origin
}

export const startTestRun = async (
  context: WorkflowsContext,
  actor: Actor,
  { workflowId, body, from }: Request,
): ReturnType<Runs['startTest']> => {
  const run = await context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const workflow = await getLockedWorkflow(tx, actor, workflowId)
    const graph = await draftToRun(context, tx, { actor, workflow, body })
    const test = await testOf(context, tx, { actor, workflow, graph, body })
    return context.runs.startTest(tx, { run: test, results: givenResults(workflow, body), actor, from })
  })
  context.runs.wake()
  return run
}

interface Drafted {
  actor: Actor
  workflow: LockedWorkflow
  body: Body
}

/** Throws `graph_invalid` with the problems of what would run, and `validation_failed` for nodes that don't exist. */
const draftToRun = async (
  { kernel, signatures }: WorkflowsContext,
  tx: Db,
  { actor, workflow, body }: Drafted,
): Promise<Graph> => {
  const { id } = workflow
  const graph = openGraph(kernel, id, workflow.graph)
  const { node_id: nodeId, outputs = {} } = body
  requireNodes(graph, [
    ...Object.keys(outputs).map((name) => ({ name, loc: ['body', 'outputs', name] })),
    ...(nodeId === undefined ? [] : [{ name: nodeId, loc: ['body', 'node_id'] }]),
  ])
  const problems = await findProblems({ db: tx, compute: kernel.compute, signatures }, actor, {
    id,
    graph,
    graphHash: workflow.graphHash,
  })
  throwProblems(nodeId === undefined ? problems : problems.filter(({ node_id }) => node_id === nodeId))
  return nodeId === undefined ? graph : cutOut(graph, nodeId, outputs)
}

const requireNodes = ({ nodes }: Graph, named: readonly { name: string; loc: string[] }[]): void => {
  const known = new Set(nodes.map(({ id }) => id))
  const problems = named
    .filter(({ name }) => !known.has(name))
    .map(({ loc }) => ({ loc, msg: 'must be the id of a node of this workflow', type: 'unknown_node' }))
  if (problems.length > 0) throw new AppError('validation_failed', { problems })
}

/** The node with those before it whose results are given; results of other nodes are still part of the state. */
const cutOut = (graph: Graph, nodeId: string, outputs: Record<string, unknown>): Graph => {
  const edges = graph.edges.filter(({ source, target }) => target === nodeId && Object.hasOwn(outputs, source))
  const kept = new Set([nodeId, ...edges.map(({ source }) => source)])
  return { ...graph, nodes: graph.nodes.filter(({ id }) => kept.has(id)), edges }
}

/** Stores the graph that the run is pinned to. */
const testOf = async (
  { kernel }: WorkflowsContext,
  tx: Db,
  { actor, workflow, graph, body }: Drafted & { graph: Graph },
): Promise<NewRun> => {
  const { id: workflowId, name: workflowName, spaceId } = workflow
  const scopeId = scopeOf(actor)
  const catalogId = body.catalog_id ?? null
  if (catalogId !== null && !(await findCatalogUnscoped(tx, { id: catalogId, scopeId })))
    throw new AppError('catalog_not_found')
  const graphHash = hashGraph(graph)
  await insertGraphUnscoped(tx, { workflowId, hash: graphHash, graph: sealGraph(kernel, workflowId, graph) })
  return {
    live: {
      workflowId,
      workflowName,
      scopeId,
      versionId: nilId,
      version: 0,
      graphHash,
      spaceId,
      runAsUserId: null,
      deadlineSec: graph.settings?.deadline_sec ?? defaultDeadlineSec,
    },
    trigger: { kind: 'manual', id: null },
    input: body.event ? { _event: sampleState(kernel, body.event) } : { input: body.input ?? null },
    eventId: null,
    correlationId: body.event?.correlation_id ?? null,
    isOnePerCorrelation: false,
    test: body.effects === false || !can(actor, 'test-with-effects') ? 'dry' : 'full',
    userId: actor.id,
    allowedRoutes: actor.credential.allowedRoutes,
    catalogId,
    spaceId,
    parent: null,
    cause: { hop: 0, chain: [], rootEventId: null },
  }
}

const givenResults = ({ graph }: LockedWorkflow, { outputs = {} }: Body) =>
  Object.entries(outputs).map(([nodeId, output]) => ({
    nodeId,
    output,
    handle: handleOf(graph, nodeId, output),
    warning: 'This result was given with the test. The node was not run.',
  }))

/** Which output the node would have ended with. */
const handleOf = ({ nodes }: Pick<Graph, 'nodes'>, nodeId: string, output: unknown): string | null => {
  const node = nodes.find(({ id }) => id === nodeId)
  const { handleOf: read } = node ? kindOf(node.type) : {}
  return read?.(output as Record<string, unknown> | null) ?? null
}

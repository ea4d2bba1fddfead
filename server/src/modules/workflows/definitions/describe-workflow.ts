/** A workflow as the API returns it: with its graph, its problems, and no secrets. */
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { presentWorkflow } from '../present.ts'
import { findProblems } from './find-problems.ts'
import { getWorkflow } from './get-workflow.ts'
import { openGraph } from './sealed-graph.ts'

export const describeWorkflow = async (
  { kernel, signatures }: WorkflowsContext,
  actor: Actor,
  id: string,
  db: Db = kernel.db,
): Promise<Workflow> => {
  const workflow = await getWorkflow(db, actor, id)
  const graph = openGraph(kernel, workflow.id, workflow.graph)
  const { graphHash } = workflow
  const needs = { db, compute: kernel.compute, signatures }
  return presentWorkflow(workflow, { graph, problems: await findProblems(needs, actor, { id, graph, graphHash }) })
}

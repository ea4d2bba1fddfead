/** Reading versions: the list without graphs, one with its graph, two compared. */

import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type {
  DiffSide,
  Version,
  VersionDiff,
  VersionList,
  VersionListQuery,
} from '@chancery/contract/workflows/workflows.ts'
import type { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { comparingGraphs, namingChanges } from '#modules/workflow-graph/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { getWorkflow } from '../definitions/get-workflow.ts'
import { openGraph } from '../definitions/sealed-graph.ts'
import { presentDraft, presentVersion, presentVersionWithGraph } from '../present.ts'
import { findVersionUnscoped, listVersionsUnscoped, type VersionWithGraph } from '../queries/versions.ts'
import type { SealedGraph } from '../tables.ts'

type Context = Pick<WorkflowsContext, 'kernel'>

export const describeVersions = async (
  { kernel: { db } }: Context,
  actor: Actor,
  { id, query }: { id: string; query: z.output<typeof VersionListQuery> },
): Promise<z.output<typeof VersionList>> => {
  const workflow = await getWorkflow(db, actor, id)
  const versions = await listVersionsUnscoped(db, id, query)
  return { versions: versions.map((version) => presentVersion(version, workflow)) }
}

const getVersion = async ({ kernel: { db } }: Context, workflowId: string, key: string): Promise<VersionWithGraph> => {
  const version = await findVersionUnscoped(db, workflowId, key)
  if (!version) throw new AppError('version_not_found')
  return version
}

export const describeVersion = async (
  context: Context,
  actor: Actor,
  { id, key }: { id: string; key: string },
): Promise<z.output<typeof Version>> => {
  const workflow = await getWorkflow(context.kernel.db, actor, id)
  return presentVersionWithGraph(await getVersion(context, id, key), workflow)
}

/** Both are versions of this workflow; `draft` is the current draft. Versions of another workflow are not found. */
export const compareVersions = async (
  context: Context,
  actor: Actor,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<VersionDiff> => {
  const workflow = await getWorkflow(context.kernel.db, actor, id)
  const open = ({ graph }: { graph: SealedGraph }) => openGraph(context.kernel, id, graph)
  const sideOf = async (key: string): Promise<{ side: DiffSide; graph: Graph }> => {
    if (key === 'draft') return { side: presentDraft(workflow), graph: open(workflow) }
    const version = await getVersion(context, id, key)
    return { side: presentVersion(version, workflow), graph: open(version) }
  }
  const [before, after] = await Promise.all([sideOf(from), sideOf(to)])
  const graphs = { before: before.graph, after: after.graph }
  const owner = { owner: scopeOf(actor) }
  const { compute } = context.kernel
  const diff = await compute(comparingGraphs, graphs, owner).catch((problem: unknown) => {
    if (problem instanceof AppError && problem.code.startsWith('computation_'))
      return compute(namingChanges, graphs, owner)
    throw problem
  })
  return { from: before.side, to: after.side, ...diff }
}

/** Everything that keeps a workflow from running: problems in its graph, and references to things that don't exist. */

import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { Graph, GraphProblem } from '@chancery/contract/workflows/graph.ts'
import type { Compute } from '#kernel/compute/index.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Signatures } from '#modules/runs/index.ts'
import { type Reference, referencesIn } from '#modules/workflow-graph/index.ts'
import { findPeople } from '../find-people.ts'
import { type CredentialRow, findCredentials } from '../queries/credentials.ts'
import { listOwnWorkflowIds } from '../queries/workflows.ts'
import { checkGraph, type HashedGraph } from './check-graph.ts'
import { templateProblems } from './template-problems.ts'

interface Needs {
  db: Db
  compute: Compute
  signatures: Pick<Signatures, 'describeTemplates'>
}

export const findProblems = async (
  { db, compute, signatures }: Needs,
  actor: Actor,
  workflow: HashedGraph,
): Promise<GraphProblem[]> => {
  const { graph } = workflow
  const called = referencesIn(graph, 'workflow')
  const approvers = referencesIn(graph, 'person')
  const sent = referencesIn(graph, 'template')
  const workflows = await listOwnWorkflowIds(db, actor, idsOf(called))
  const people = await findPeople(db, actor, idsOf(approvers))
  const credentials = await findCredentials(db, actor, idsOf(referencesIn(graph, 'credential')))
  const templates = await signatures.describeTemplates(db, actor, idsOf(sent))
  return [
    ...(await checkGraph(compute, actor, workflow)),
    ...missing(called, workflows, "This workflow doesn't exist."),
    ...missing(approvers, people, "This person doesn't belong to your organization."),
    ...missing(sent, [...templates.keys()], "This template doesn't exist."),
    ...templateProblems(graph, templates),
    ...credentialProblems(graph, credentials),
  ]
}

/** Only a graph without problems is published. Each problem has a path: `["graph", "nodes", <id>, <field>]`. */
export const requireNoProblems = async (needs: Needs, actor: Actor, workflow: HashedGraph): Promise<void> => {
  throwProblems(await findProblems(needs, actor, workflow))
}

export const throwProblems = (problems: readonly GraphProblem[]): void => {
  if (problems.length > 0) throw new AppError('graph_invalid', { problems: problems.map(asFieldProblem) })
}

const asFieldProblem = ({ node_id, edge_id, field, message }: GraphProblem): FieldProblem => ({
  loc: [
    'graph',
    ...(node_id === null ? [] : ['nodes', node_id]),
    ...(edge_id === null ? [] : ['edges', edge_id]),
    ...(field === null ? [] : [field]),
  ],
  msg: message,
  type: 'graph',
})

const idsOf = (references: readonly Reference[]): string[] => [...new Set(references.map(({ id }) => id))]

const missing = (references: readonly Reference[], found: readonly string[], message: string): GraphProblem[] => {
  const known = new Set(found)
  return references
    .filter(({ id }) => !known.has(id))
    .map(({ nodeId, field }) => ({ node_id: nodeId, edge_id: null, field, message }))
}

const credentialProblems = (graph: Graph, credentials: readonly CredentialRow[]): GraphProblem[] =>
  referencesIn(graph, 'credential').flatMap(({ nodeId, field, id }) => {
    const credential = credentials.find((one) => one.id === id)
    const url = graph.nodes.find((node) => node.id === nodeId)?.config.url
    const message = credential ? problemOf(credential, url) : "This credential doesn't exist."
    return message === undefined ? [] : [{ node_id: nodeId, edge_id: null, field, message }]
  })

/** A server that a template names is checked when the node runs. */
const problemOf = ({ enabled, origin }: CredentialRow, url: unknown): string | undefined => {
  if (!enabled) return 'This credential is switched off.'
  const server = typeof url === 'string' ? /^https?:\/\/[^/?#\\{]+(?=[/?#]|$)/i.exec(url)?.[0] : undefined
  if (server === undefined || URL.parse(server)?.origin === origin) return undefined
  return `This credential is for ${origin} only.`
}

/** Graphs and workflows in one line. */
import type { Graph, GraphEdge, GraphNode, NodeType } from '@chancery/contract/workflows/graph.ts'
import type { Client } from './client.ts'

export const workflowsPath = '/api/v1/agent-workflows'

/** A node that can run as it is, unless its config says otherwise. */
export const node = (id: string, config: GraphNode['config'] = {}, type: NodeType = 'transform'): GraphNode => ({
  id,
  type,
  name: `Node ${id}`,
  position: { x: 0, y: 0 },
  config: type === 'transform' ? { fields: { seen: 'True' }, ...config } : config,
})

export const edge = (source: string, target: string, handle?: string): GraphEdge => ({
  id: `${source}-${target}${handle ?? ''}`,
  source,
  target,
  ...(handle !== undefined && { source_handle: handle }),
})

/** One node after the other. */
export const chain = (...ids: string[]): Graph => ({
  nodes: ids.map((id) => node(id)),
  edges: ids.slice(1).map((id, index) => edge(ids[index] ?? '', id)),
  settings: {},
})

export const makeWorkflow = async (author: Client, graph: Graph = chain('a', 'b'), name = 'A workflow') => {
  const { status, body, text } = await author.post(workflowsPath, { name, graph })
  if (status !== 201) throw new Error(`making a workflow failed: ${text}`)
  return body
}

/** In an organization the reviewer is one of its administrators. */
export const submitAndApprove = async (author: Client, id: string, reviewer: Client = author): Promise<void> => {
  for (const [who, step] of [[author, 'submit'] as const, [reviewer, 'approve'] as const]) {
    const { status, text } = await who.post(`${workflowsPath}/${id}/${step}`)
    if (status !== 200) throw new Error(`${step} failed: ${text}`)
  }
}

/** By way of the review. Answers the workflow. */
export const publishWorkflow = async (author: Client, id: string, reviewer: Client = author) => {
  await submitAndApprove(author, id, reviewer)
  return (await author.get(`${workflowsPath}/${id}`)).body
}

export const makePublished = async (author: Client, graph?: Graph, reviewer: Client = author) =>
  publishWorkflow(author, (await makeWorkflow(author, graph)).id, reviewer)

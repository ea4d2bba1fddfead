/** Secrets of nodes on this side: they can be typed, but what was saved comes back hidden and stays so. */
import type { Graph, GraphNode } from '@chancery/contract/workflow-graph.ts'

/** What stands where a secret is. Sent back, it means "as it was". */
export const hiddenSecret = '••••••'

/** Headers that carry credentials however they are called; the server hides the same ones. */
export const isSecretHeader = (name: string): boolean =>
  /authorization|cookie|api[-_]?key|token|secret|password/i.test(name)

type Config = GraphNode['config']
type Headers = Record<string, unknown>

const headersOf = ({ headers }: Config): Headers | undefined =>
  typeof headers === 'object' && headers !== null && !Array.isArray(headers) ? (headers as Headers) : undefined

/** Every secret of a request as `read` has it; undefined takes it away. */
function mapSecrets(config: Config, read: (field: string, header?: string) => unknown): Config {
  const { authorization: _, ...rest } = config
  const authorization = 'authorization' in config ? read('authorization') : undefined
  const headers = headersOf(config)
  return {
    ...rest,
    ...(authorization !== undefined && authorization !== null && { authorization }),
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          isSecretHeader(name) ? (read('headers', name) ?? '') : value,
        ]),
      ),
    }),
  }
}

const isSame = (one: Config, other: Config): boolean => JSON.stringify(one) === JSON.stringify(other)

/** A copy is a node of its own, for which secrets are entered anew. So none ever gets into the clipboard. */
export const withoutSecrets = (node: GraphNode): GraphNode =>
  node.type === 'http_request' ? { ...node, config: mapSecrets(node.config, () => undefined) } : node

/** The graph with its secrets as the server answered them: hidden, or gone where the node calls another server now. */
export function withStoredSecrets(graph: Graph, stored: Graph): Graph {
  const answers = new Map(stored.nodes.map((node) => [node.id, node.config]))
  const nodes = graph.nodes.map((node) => {
    const answer = node.type === 'http_request' ? answers.get(node.id) : undefined
    if (!answer) return node
    const config = mapSecrets(node.config, (field, header) =>
      header === undefined ? answer[field] : headersOf(answer)?.[header],
    )
    return isSame(
      config,
      mapSecrets(node.config, (field, header) => secretAt(node.config, field, header)),
    )
      ? node
      : { ...node, config }
  })
  return nodes.every((node, index) => node === graph.nodes[index]) ? graph : { ...graph, nodes }
}

const secretAt = (config: Config, field: string, header?: string): unknown =>
  header === undefined ? config[field] : headersOf(config)?.[header]

/** Nodes, by name, with a secret that was kept until now and that the server does not have any more. */
export function lostSecrets(sent: Graph, stored: Graph): string[] {
  const answers = new Map(stored.nodes.map((node) => [node.id, node.config]))
  return sent.nodes
    .filter(({ id, type, config }) => {
      const answer = type === 'http_request' ? answers.get(id) : undefined
      const isLost = (field: string, header?: string) =>
        answer !== undefined && secretAt(config, field, header) === hiddenSecret && !secretAt(answer, field, header)
      return isLost('authorization') || Object.keys(headersOf(config) ?? {}).some((name) => isLost('headers', name))
    })
    .map(({ name }) => name)
}

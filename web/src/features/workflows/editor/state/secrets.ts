/** Secrets of nodes in the browser: they can be typed, but come back hidden once saved. */
import { hiddenSecret, isSecretHeader } from '@chancery/contract/plugins/secret-headers.ts'
import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'

type Config = GraphNode['config']
type Headers = Record<string, unknown>

const headersOf = ({ headers }: Config): Headers | undefined =>
  typeof headers === 'object' && headers !== null && !Array.isArray(headers) ? (headers as Headers) : undefined

/** Maps every secret of a request with `read`; undefined removes it. */
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

/** A copied node needs its secrets entered again, so no secret ever gets into the clipboard. */
export const withoutSecrets = (node: GraphNode): GraphNode =>
  node.type === 'http_request' ? { ...node, config: mapSecrets(node.config, () => undefined) } : node

/** The graph with secrets as the server returned them: hidden, or removed if the node now calls another server. */
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

/** Names of nodes whose stored secret the server has dropped. */
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

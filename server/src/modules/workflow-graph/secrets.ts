/** Which fields of a node are secret, and how they are redacted and restored. Pure. */
import { hiddenSecret, isSecretHeader } from '@chancery/contract/plugins/secret-headers.ts'
import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { kindOf } from './kinds/index.ts'

const secretFields = ({ type }: Pick<GraphNode, 'type'>): readonly string[] => kindOf(type).secrets ?? []

type Named = Pick<GraphNode, 'type' | 'config'>

export const redactNode = <Node extends Named>(node: Node): Node => mapSecrets(node, () => hiddenSecret)

/** Also for sealed graphs: secrets are replaced without being read. */
export const redactGraph = (graph: Graph): Graph => ({ ...graph, nodes: graph.nodes.map(redactNode) })

/** Both sides of a comparison. A changed secret gets a different placeholder on each side, so that the change shows. */
export const redactPair = <Node extends Named>(before: Node, after: Node): [Node, Node] => {
  const hiddenAs = (side: string, other: Named) => (path: readonly string[], value: unknown) =>
    value === valueAt(other.config, path) ? hiddenSecret : `${hiddenSecret} (${side})`
  return [mapSecrets(before, hiddenAs('before', after)), mapSecrets(after, hiddenAs('after', before))]
}

/** Replaces every secret of the node that has a value, of any type. */
export const mapSecrets = <Node extends Named>(
  node: Node,
  replace: (path: readonly string[], value: unknown) => unknown,
): Node => {
  const hide = (path: readonly string[], value: unknown) => (isFilled(value) ? replace(path, value) : value)
  const config = { ...node.config }
  for (const field of secretFields(node)) if (field in config) config[field] = hide([field], config[field])
  if (isJsonObject(config.headers))
    config.headers = Object.fromEntries(
      Object.entries(config.headers).map(([name, value]) => [
        name,
        isSecretHeader(name) ? hide(['headers', name], value) : value,
      ]),
    )
  return { ...node, config }
}

const valueAt = (config: Record<string, unknown>, [first = '', second]: readonly string[]): unknown => {
  const value = config[first]
  return second === undefined ? value : isJsonObject(value) ? value[second] : undefined
}

/**
 * Puts stored secrets back where placeholders were sent, as long as the node still points at the server they were entered
 * for. Otherwise they have to be entered again, so that nobody can send them to a server of their own.
 */
export const restoreSecrets = <Node extends Named>(node: Node, before: Named | undefined): Node => {
  const stored = before && staysWithServer(node, before) ? before : undefined
  const config = { ...node.config }
  for (const field of secretFields(node))
    if (config[field] === hiddenSecret) config[field] = stored?.config[field] ?? null
  if (isJsonObject(config.headers)) {
    const old = isJsonObject(stored?.config.headers) ? stored.config.headers : {}
    config.headers = Object.fromEntries(
      Object.entries(config.headers).map(([name, value]) => [name, value === hiddenSecret ? (old[name] ?? '') : value]),
    )
  }
  return { ...node, config }
}

const staysWithServer = (node: Named, before: Named): boolean =>
  node.type === before.type &&
  (node.config.url === before.config.url ||
    (serverOf(node.config.url) !== undefined && serverOf(node.config.url) === serverOf(before.config.url)))

/** As text, including templates: a server that is only known at run time equals only itself. */
const serverOf = (url: unknown): string | undefined =>
  typeof url === 'string' ? /^https?:\/\/[^/?#\\]+(?=[/?#]|$)/i.exec(url)?.[0].toLowerCase() : undefined

/** For exported files, which contain no secrets. */
export const stripSecrets = <Node extends Named>(node: Node): Node => {
  const config = { ...node.config }
  for (const field of secretFields(node)) delete config[field]
  if (isJsonObject(config.headers))
    config.headers = Object.fromEntries(Object.entries(config.headers).filter(([name]) => !isSecretHeader(name)))
  return { ...node, config }
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

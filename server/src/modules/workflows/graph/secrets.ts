/** Which fields of a node are secret, and how they are kept out of sight. Pure. */
import { hiddenSecret, isSecretHeader } from '@chancery/contract/secret-headers.ts'
import type { GraphNode } from '@chancery/contract/workflow-graph.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'

/** By node type, the config fields that hold a secret. */
const secretFields: Partial<Record<GraphNode['type'], readonly string[]>> = { http_request: ['authorization'] }

type Named = Pick<GraphNode, 'type' | 'config'>

export const redactNode = <Node extends Named>(node: Node): Node => mapSecrets(node, () => hiddenSecret)

/** Both sides of a comparison: a secret that changed is hidden differently on each, so that the change itself is seen. */
export const redactPair = <Node extends Named>(before: Node, after: Node): [Node, Node] => {
  const hiddenAs = (side: string, other: Named) => (place: readonly string[], value: unknown) =>
    value === valueAt(other.config, place) ? hiddenSecret : `${hiddenSecret} (${side})`
  return [mapSecrets(before, hiddenAs('before', after)), mapSecrets(after, hiddenAs('after', before))]
}

/** The node with every secret that is filled in replaced, whatever kind of value somebody put there. */
export const mapSecrets = <Node extends Named>(
  node: Node,
  replace: (place: readonly string[], value: unknown) => unknown,
): Node => {
  const hide = (place: readonly string[], value: unknown) => (isFilled(value) ? replace(place, value) : value)
  const config = { ...node.config }
  for (const field of secretFields[node.type] ?? []) if (field in config) config[field] = hide([field], config[field])
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
 * What was hidden and came back hidden takes its old value again, as long as it stays with the server it was entered for:
 * whoever points the node elsewhere enters it anew, so that no secret can be fetched that way.
 */
export const restoreSecrets = <Node extends Named>(node: Node, before: Named | undefined): Node => {
  const stored = before && staysWithServer(node, before) ? before : undefined
  const config = { ...node.config }
  for (const field of secretFields[node.type] ?? [])
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

/** As it is written, templates and all: a place that is only known at run time equals itself alone. */
const serverOf = (url: unknown): string | undefined =>
  typeof url === 'string' ? /^https?:\/\/[^/?#\\]+(?=[/?#]|$)/i.exec(url)?.[0].toLowerCase() : undefined

/** For a file that leaves the house: secrets are simply not there. */
export const stripSecrets = <Node extends Named>(node: Node): Node => {
  const config = { ...node.config }
  for (const field of secretFields[node.type] ?? []) delete config[field]
  if (isJsonObject(config.headers))
    config.headers = Object.fromEntries(Object.entries(config.headers).filter(([name]) => !isSecretHeader(name)))
  return { ...node, config }
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** IDs and names for new nodes and edges. Expressions refer to a node by its ID, so it should be a readable word. */
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'

const longest = 80

/** `agent`, then `agent_2`, `agent_3`: the first unused one. */
export function freeId(wish: string, taken: ReadonlySet<string>): string {
  const stem =
    wish
      .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/^[_-]+/, '')
      .slice(0, longest - 6) || 'node'
  if (!taken.has(stem)) return stem
  let count = 2
  while (taken.has(`${stem}_${count}`)) count += 1
  return `${stem}_${count}`
}

/** The base of a copy's ID: a copy of `agent_2` is based on `agent`, not `agent_2_2`. */
export const stemOf = (id: string): string => id.replace(/_\d+$/, '')

export const idsOf = (items: readonly { id: string }[]): Set<string> => new Set(items.map(({ id }) => id))

/** `Agent`, then `Agent 2`. */
export function freeName(wish: string, nodes: readonly GraphNode[]): string {
  const taken = new Set(nodes.map(({ name }) => name))
  if (!taken.has(wish)) return wish
  let count = 2
  while (taken.has(`${wish} ${count}`)) count += 1
  return `${wish} ${count}`
}

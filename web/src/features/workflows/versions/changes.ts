/** The changes of a comparison as a list: nodes in reading order, then edges, then settings. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { FieldChange, VersionDiff } from '@chancery/contract/workflows/workflows.ts'

export type ChangeTone = 'added' | 'removed' | 'changed'

export interface NodeChange {
  kind: 'node'
  key: string
  tone: ChangeTone
  name: string
  fields: readonly FieldChange[]
}
interface EdgesChange {
  kind: 'edges'
  key: string
  added: readonly Ends[]
  removed: readonly Ends[]
}
interface SettingsChange {
  kind: 'settings'
  key: string
  fields: readonly FieldChange[]
}
export type Change = NodeChange | EdgesChange | SettingsChange

export interface Ends {
  id: string
  source: string
  target: string
}

/** No node can have this key: node IDs start with a letter or a digit. */
export const edgesKey = ':edges'
export const settingsKey = ':settings'

/** `graph` is the union that is drawn; it knows each node's position. */
export function listChanges({ nodes, edges, settings }: VersionDiff, graph: Graph): Change[] {
  const positions = new Map(graph.nodes.map(({ id, position }) => [id, position]))
  const found: NodeChange[] = [
    ...nodes.added.map(({ id, name }) => nodeChange(id, 'added', name)),
    ...nodes.removed.map(({ id, name }) => nodeChange(id, 'removed', name)),
    ...nodes.changed.map(({ id, name, fields }) => nodeChange(id, 'changed', name, fields)),
  ]
  const at = ({ key }: NodeChange) => positions.get(key) ?? { x: 0, y: 0 }
  found.sort((one, other) => at(one).x - at(other).x || at(one).y - at(other).y)
  const { added, removed } = edges
  return [
    ...found,
    ...(added.length + removed.length > 0 ? [{ kind: 'edges' as const, key: edgesKey, added, removed }] : []),
    ...(settings.changed.length > 0 ? [{ kind: 'settings' as const, key: settingsKey, fields: settings.changed }] : []),
  ]
}

const nodeChange = (key: string, tone: ChangeTone, name: string, fields: readonly FieldChange[] = []): NodeChange => ({
  kind: 'node',
  key,
  tone,
  name,
  fields,
})

/** The change shown beside the graph: the selected one, or the only one. */
export const shownChange = (changes: readonly Change[], selected: string | undefined): string | undefined =>
  selected ?? (changes.length === 1 ? changes[0]?.key : undefined)

/** The previous or next change, wrapping around; without a current one, the first or the last. */
export function stepChange(changes: readonly Change[], current: string | undefined, step: 1 | -1): string | undefined {
  const index = changes.findIndex(({ key }) => key === current)
  if (index < 0) return changes.at(step > 0 ? 0 : -1)?.key
  return changes[(index + step + changes.length) % changes.length]?.key
}

const isHidden = (value: unknown): value is string => typeof value === 'string' && value.startsWith('••••••')

/** A field's value as readable text: strings as is, missing values as missing, the rest as JSON. */
export function valueText(value: unknown): { text: string; look: 'plain' | 'none' | 'secret' } {
  if (value === null || value === undefined || value === '') return { text: 'not set', look: 'none' }
  if (isHidden(value)) return { text: 'hidden secret', look: 'secret' }
  return { text: typeof value === 'string' ? value : JSON.stringify(value, null, 2), look: 'plain' }
}

/** All fields of a node, for one that was added or removed. */
export const fieldsOfNode = (node: Graph['nodes'][number]): { path: string; value: unknown }[] => [
  { path: 'name', value: node.name },
  { path: 'type', value: node.type },
  ...Object.entries(node.config).map(([name, value]) => ({ path: `config.${name}`, value })),
]

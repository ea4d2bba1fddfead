/**
 * Finds paths in templates and expressions that lead nowhere, as far as settings, recent events and past runs show. They
 * are hints and not problems: the next event may look different. Pure.
 */
import type { Graph, GraphNode, GraphProblem } from '@chancery/contract/workflows/graph.ts'
import { nodeKinds } from '../kinds/node-kinds.ts'
import { type Key, type Known, type Notation, writePath } from './complete.ts'
import { knownValuesOf, type Samples } from './known-values.ts'
import { nearestPath } from './nearest-path.ts'

interface Text {
  field: string
  text: string
  notation: Notation
}

const textsOf = ({ type, config }: GraphNode): Text[] => {
  const { template = [], expression = [] } = nodeKinds[type].texts(config)
  return [
    ...template.flatMap((name) => textsIn(`config.${name}`, config[name], 'template')),
    ...expression.flatMap((name) => textsIn(`config.${name}`, config[name], 'expression')),
  ]
}

const textsIn = (field: string, value: unknown, notation: Notation): Text[] => {
  if (typeof value === 'string') return [{ field, text: value, notation }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) =>
    textsIn(Array.isArray(value) ? `${field}[${key}]` : `${field}.${key}`, one, notation),
  )
}

const key = /\.([\w-]+)|\[(?:"([^"\\]*)"|'([^'\\]*)'|(\d{1,6}))\]/g
const placeholder = /\{\{\s*([\w-]+)((?:\.[\w-]+|\[\d{1,6}\]|\["[^"\]]*"\])*)\s*\}\}/g
/** Texts come first, so that a name inside one isn't taken for a path. */
const chain =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w\])."'])(payload|event|input|state|_event)((?:\[(?:"[^"\\]*"|'[^'\\]*'|\d{1,6})\])+)/g

const pathsIn = ({ text, notation }: Text): Key[][] =>
  [...text.matchAll(notation === 'template' ? placeholder : chain)].flatMap(([, root, keys = '']) => {
    if (root === undefined) return []
    const path = [...keys.matchAll(key)].map(([, name, one, other, index]) =>
      index === undefined ? (name ?? one ?? other ?? '') : Number(index),
    )
    return [[root, ...path]]
  })

/** `"vip" in payload`: the author knows that the field may be missing. */
const isTested = ({ text, notation }: Text, path: readonly Key[]): boolean =>
  notation === 'expression' &&
  [...text.matchAll(/["']([^"'\\]*)["']\s+(?:not\s+)?in\b/g)].some(([, name]) => name === path.at(-1))

export interface HintSamples extends Samples {
  /** The workflow is started by more than events, so what its first nodes get isn't known. */
  startsOtherwise: boolean
}

export function pathHints(graph: Graph, samples: HintSamples): GraphProblem[] {
  const knownAt = knownValuesOf(graph, samples)
  return graph.nodes.flatMap((node) => {
    const paths = textsOf(node).flatMap((text) => pathsIn(text).map((path) => ({ text, path })))
    if (paths.length === 0) return []
    const all = knownAt(node.id)
    const known = samples.startsOtherwise && all.input === all.event ? { ...all, input: undefined } : all
    const hints = paths.flatMap(({ text, path }) => {
      if (isTested(text, path)) return []
      const message = hintFor(path, { graph, node, known, notation: text.notation })
      return message === undefined ? [] : [{ node_id: node.id, edge_id: null, field: text.field, message }]
    })
    return hints.filter((hint, at) => hints.findIndex((one) => sameHint(one, hint)) === at)
  })
}

const sameHint = (one: GraphProblem, other: GraphProblem) => one.field === other.field && one.message === other.message

interface Around {
  graph: Graph
  node: GraphNode
  known: Known
  notation: Notation
}

function hintFor(path: readonly Key[], { graph, node, known, notation }: Around): string | undefined {
  const later = laterNode(path, { graph, node, known, notation })
  if (later) return `“${later.name}” doesn’t run before this node, so its result isn’t known here.`
  const roots = rootsOf({ node, known, notation })
  const gap = gapIn(roots, path)
  if (!gap) return undefined
  const written = writePath(path.slice(0, gap.at + 1), notation)
  const isEvent = ['payload', 'event', '_event'].includes(String(path[0]))
  const missing = isEvent ? `Recent events have no ${written}.` : `Recent runs and the settings show no ${written}.`
  const nearest = byNodeName(path, { graph, known }) ?? nearestPath(gap.within, path.slice(gap.at))
  if (nearest) return `${missing} Did you mean ${writePath([...path.slice(0, gap.at), ...nearest], notation)}?`
  return missing
}

/** `state["Total"]`, where the ID of the node called "Total" is another. */
const byNodeName = ([first, name, ...rest]: readonly Key[], { graph, known }: Pick<Around, 'graph' | 'known'>) => {
  const plain = String(name).toLowerCase()
  const meant = graph.nodes.find((one) => one.name.toLowerCase() === plain && Object.hasOwn(known.state, one.id))
  return first === 'state' && meant ? [meant.id, ...rest] : undefined
}

/** The node whose result is used before it can be there. The server reports names that no node has. */
const laterNode = ([first, second]: readonly Key[], { graph, known, notation }: Around): GraphNode | undefined => {
  const name = first === 'state' ? second : notation === 'template' ? first : undefined
  if (name === undefined || Object.hasOwn(known.state, name)) return undefined
  return graph.nodes.find(({ id }) => id === name)
}

/** In a wait's filter, the event is the one that arrives, of which nothing is known here. */
const rootsOf = ({ node, known, notation }: Omit<Around, 'graph'>): Record<string, unknown> => {
  const { payload, event, input, state } = known
  const own = { input, state: { ...state, _event: event, input: undefined } }
  if (notation === 'template') return { ...state, payload, event, _event: event, ...own }
  return node.type === 'wait' ? own : { payload, event, _event: event, ...own }
}

/** The first step of the path that is not in the known values; undefined if the path is found, or can't be checked. */
function gapIn(roots: Record<string, unknown>, path: readonly Key[]): { at: number; within: unknown } | undefined {
  let within: unknown = roots
  for (const [at, one] of path.entries()) {
    if (within === undefined || within === null) return undefined
    if (Array.isArray(within) && typeof one === 'number') within = within[one] ?? within[0]
    else if (typeof within === 'object' && !Array.isArray(within) && Object.hasOwn(within, one))
      within = (within as Record<Key, unknown>)[one]
    else if (at === 0 || (typeof within === 'string' && typeof one === 'number')) return undefined
    else return { at, within }
  }
  return undefined
}

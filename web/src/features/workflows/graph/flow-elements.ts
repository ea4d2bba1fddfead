/** A graph in the format of the canvas: cards with inputs and outputs, and the edges between them. */
import type { Graph, GraphEdge, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { type Edge, MarkerType, type Node, type NodeHandle, Position } from '@xyflow/react'
import { handlesOf, nodeKinds, summaryOf } from '../kinds/node-kinds.ts'
import { cardHeight, cardWidth, headMiddle, outputY } from './card-size.ts'
import { type NodeMark, type Tone, toneColours } from './marks.ts'

export interface Output {
  /** Null is the default output. */
  name: string | null
  /** An edge uses this output, but the node no longer has it. */
  isGone: boolean
}

export interface CardData extends Record<string, unknown> {
  node: GraphNode
  outputs: readonly Output[]
  mark?: NodeMark | undefined
  /** Problems that prevent the node from running. */
  problems: readonly string[]
  /** Warnings about paths that probably lead nowhere. */
  hints: readonly string[]
}
export type CardNode = Node<CardData, 'card'>
export type FlowEdge = Edge<{ tone?: Tone | undefined }>

/** Output names are free text, so the default output needs an ID that no name can have. */
export const handleId = (name: string | null | undefined): string => (name ? `way:${name}` : 'plain')
export const handleName = (id: string | null | undefined): string | null =>
  id?.startsWith('way:') ? id.slice('way:'.length) : null

/** The outputs a node has, plus those that edges still use: they must be visible to be fixed. */
export function outputsOf(node: GraphNode, deleting: readonly GraphEdge[]): Output[] {
  const own = handlesOf(node)
  const used = new Set(deleting.map((edge) => edge.source_handle || null))
  return [
    ...own.map((name) => ({ name, isGone: false })),
    ...[...used].filter((name) => !own.includes(name)).map((name) => ({ name, isGone: true })),
  ]
}

export const groupBySource = (edges: readonly GraphEdge[]): Map<string, GraphEdge[]> =>
  Map.groupBy(edges, (edge) => edge.source)

interface CardFacts {
  outputs: readonly Output[]
  mark?: NodeMark | undefined
  problems?: readonly string[]
  hints?: readonly string[]
  isSelected?: boolean
}

const none: readonly string[] = []

export function cardOf(node: GraphNode, facts: CardFacts): CardNode {
  const { outputs, mark, problems = none, hints = none, isSelected = false } = facts
  const names = outputs.map(({ name }) => name)
  const size = { width: cardWidth, height: cardHeight(names, mark?.label !== undefined) }
  return {
    id: node.id,
    type: 'card',
    position: node.position,
    ...size,
    // The canvas fits only measured nodes into view, and off-screen nodes are never measured.
    measured: size,
    selected: isSelected,
    handles: handlesFor(names, mark?.label !== undefined),
    ariaLabel: cardLabel(node, { mark, problems, hints }),
    data: { node, outputs, mark, problems, hints },
  }
}

const handlesFor = (names: readonly (string | null)[], hasMark: boolean): NodeHandle[] => [
  { type: 'target', position: Position.Left, x: 0, y: headMiddle, width: 1, height: 1 },
  ...names.map(
    (name, index): NodeHandle => ({
      id: handleId(name),
      type: 'source',
      position: Position.Right,
      width: 1,
      height: 1,
      x: cardWidth,
      y: outputY(names, index, hasMark),
    }),
  ),
]

const cardLabel = (node: GraphNode, { mark, problems, hints }: Pick<CardData, 'mark' | 'problems' | 'hints'>): string =>
  [
    `${nodeKinds[node.type].label}: ${node.name}`,
    summaryOf(node) === nodeKinds[node.type].label ? '' : summaryOf(node),
    mark?.label ?? '',
    mark?.detail ?? '',
    problems.length > 0 ? `${problems.length} to fix` : '',
    hints.length > 0 ? `${hints.length} to check` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')

export function edgeOf(edge: GraphEdge, tone?: Tone, isSelected = false): FlowEdge {
  const colour = tone === undefined ? undefined : toneColours[tone]
  return {
    id: edge.id,
    source: edge.source,
    target: edge.target,
    sourceHandle: handleId(edge.source_handle),
    selected: isSelected,
    data: { tone },
    markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: colour ?? 'var(--rule)' },
    ...(colour !== undefined && { style: { stroke: colour, strokeWidth: 2 } }),
    ...(tone === 'faded' && { className: 'opacity-50' }),
    ...(tone === 'removed' && { className: 'is-removed' }),
    ...(tone === 'running' && { animated: true }),
  }
}

interface Marks {
  marks?: ReadonlyMap<string, NodeMark> | undefined
  edgeMarks?: ReadonlyMap<string, Tone> | undefined
  selectedId?: string | undefined
}

export function flowElements({ nodes, edges }: Graph, { marks, edgeMarks, selectedId }: Marks) {
  const deleting = groupBySource(edges)
  const known = new Set(nodes.map(({ id }) => id))
  return {
    nodes: nodes.map((node) =>
      cardOf(node, {
        outputs: outputsOf(node, deleting.get(node.id) ?? []),
        mark: marks?.get(node.id),
        isSelected: node.id === selectedId,
      }),
    ),
    edges: edges
      .filter(({ source, target }) => known.has(source) && known.has(target))
      .map((edge) => edgeOf(edge, edgeMarks?.get(edge.id))),
  }
}

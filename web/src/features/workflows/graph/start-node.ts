/**
 * The Start node: drawn before the nodes where runs begin, with the triggers that start them. It isn't part of the
 * stored graph, so it can't be moved, connected or deleted. Pure.
 */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { type Node, Position } from '@xyflow/react'
import type { LucideIcon } from 'lucide-react'
import { cardWidth, headMiddle, startHeight } from './card-size.ts'
import { type CardNode, edgeOf, type FlowEdge, handleId } from './flow-elements.ts'
import type { Tone } from './marks.ts'

/** No node can have this ID: they start with a letter or a digit. */
export const startId = ':start'

export interface StartRow {
  id: string
  icon: LucideIcon
  /** The trigger, such as `On order_created`. */
  text: string
  /** The filter, or the time zone. */
  detail: string
  /** Says whether it starts runs now. */
  status: string
  tone: Tone
}

export interface Start {
  /** Below the title: how many triggers there are. */
  summary: string
  rows: readonly StartRow[]
}

export interface StartData extends Record<string, unknown> {
  start: Start
}
export type StartNode = Node<StartData, 'start'>
export type FlowNode = CardNode | StartNode

/** The nodes where a run begins, each with the mark of the edge that leads to it. */
export type Entries = ReadonlyMap<string, Tone | undefined>

export function entriesOf({ nodes, edges }: Graph): Entries {
  const known = new Set(nodes.map(({ id }) => id))
  const reached = new Set(edges.filter(({ source }) => known.has(source)).map(({ target }) => target))
  return new Map(nodes.filter(({ id }) => !reached.has(id)).map(({ id }) => [id, undefined]))
}

/** The entries of both sides of a comparison. */
export function comparedEntries(before: Graph, after: Graph): Entries {
  const [was, is] = [entriesOf(before), entriesOf(after)]
  return new Map<string, Tone | undefined>([
    ...[...is.keys()].map((id) => [id, was.has(id) ? undefined : 'added'] as const),
    ...[...was.keys()].filter((id) => !is.has(id)).map((id) => [id, 'removed'] as const),
  ])
}

const gap = 72

/** Left of every node, as high as the nodes it leads to. */
function positionOf(cards: readonly CardNode[], entries: Entries) {
  if (cards.length === 0) return { x: 0, y: 0 }
  const heights = cards.filter(({ id }) => entries.has(id)).map(({ position }) => position.y)
  return {
    x: Math.min(...cards.map(({ position }) => position.x)) - cardWidth - gap,
    y: Math.round(heights.reduce((sum, y) => sum + y, 0) / Math.max(1, heights.length)),
  }
}

interface StartFacts {
  start: Start
  entries: Entries
  isSelected?: boolean
}

export function startElements(
  cards: readonly CardNode[],
  { start, entries, isSelected = false }: StartFacts,
): { node: StartNode; edges: FlowEdge[] } {
  const size = { width: cardWidth, height: startHeight(start.rows.length) }
  const drawn = new Set(cards.map(({ id }) => id))
  return {
    node: {
      id: startId,
      type: 'start',
      position: positionOf(cards, entries),
      ...size,
      measured: size,
      selected: isSelected,
      selectable: true,
      draggable: false,
      connectable: false,
      deletable: false,
      handles: [
        {
          id: handleId(null),
          type: 'source',
          position: Position.Right,
          width: 1,
          height: 1,
          x: cardWidth,
          y: headMiddle,
        },
      ],
      ariaLabel: ['Start', start.summary, ...start.rows.map(({ text, status }) => `${text}: ${status}`)].join(', '),
      data: { start },
    },
    edges: [...entries].filter(([id]) => drawn.has(id)).map(([id, tone]) => edgeTo(id, tone)),
  }
}

const edgeTo = (target: string, tone: Tone | undefined): FlowEdge => ({
  ...edgeOf({ id: `${startId}>${target}`, source: startId, target }, tone),
  selectable: false,
  focusable: false,
  deletable: false,
  reconnectable: false,
})

/**
 * Turns the graph into the canvas's nodes and edges. Unchanged nodes keep their identity, so in a graph of three
 * hundred only the changed ones render again.
 */
import type { Graph, GraphEdge, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { useMemo, useRef } from 'react'
import { type CardNode, cardOf, edgeOf, type FlowEdge, groupBySource, outputsOf } from '../../graph/flow-elements.ts'
import { entriesOf, type Start, startElements, startId } from '../../graph/start-node.ts'
import type { Selection } from '../state/editor-state.ts'
import type { Point } from '../state/graph-edits.ts'

interface Shown<Element> {
  from: readonly unknown[]
  element: Element
}

/** Rebuilt only if one of its inputs changed. */
function memoized<Element>(
  cache: Map<string, Shown<Element>>,
  id: string,
  from: readonly unknown[],
  make: () => Element,
): Element {
  const known = cache.get(id)
  if (known?.from.every((one, index) => one === from[index])) return known.element
  const element = make()
  cache.set(id, { from, element })
  return element
}

/** The messages shown on each card. */
export interface Marked {
  problems: ReadonlyMap<string, readonly string[]>
  hints: ReadonlyMap<string, readonly string[]>
}

interface Elements {
  graph: Graph
  start: Start
  selection: Selection
  marked: Marked
  /** Node positions during a drag, before it becomes a change. */
  dragged: ReadonlyMap<string, Point>
}

export function useElements({ graph, start, selection, marked, dragged }: Elements) {
  const cards = useRef(new Map<string, Shown<CardNode>>())
  const lines = useRef(new Map<string, Shown<FlowEdge>>())
  const nodes = useMemo(() => {
    const deleting = groupBySource(graph.edges)
    return graph.nodes.map((node) => {
      const problems = marked.problems.get(node.id) ?? []
      const hints = marked.hints.get(node.id) ?? []
      const isSelected = selection.nodes.has(node.id)
      const at = dragged.get(node.id)
      const words = [problems.join('\n'), hints.join('\n')]
      const from = [node, outputKey(deleting.get(node.id)), ...words, isSelected, at?.x, at?.y]
      return memoized(cards.current, node.id, from, () =>
        cardOf(at ? { ...node, position: at } : node, {
          outputs: outputsOf(node, deleting.get(node.id) ?? []),
          problems,
          hints,
          isSelected,
        }),
      )
    })
  }, [graph.nodes, graph.edges, marked, selection, dragged])
  const edges = useMemo(() => {
    const known = new Set(graph.nodes.map(({ id }: GraphNode) => id))
    return graph.edges
      .filter(({ source, target }) => known.has(source) && known.has(target))
      .map((edge) => {
        const isSelected = selection.edges.has(edge.id)
        return memoized(lines.current, edge.id, [edge, isSelected], () => edgeOf(edge, undefined, isSelected))
      })
  }, [graph.nodes, graph.edges, selection])
  const isStartSelected = selection.nodes.has(startId)
  return useMemo(() => {
    const first = startElements(nodes, { start, entries: entriesOf(graph), isSelected: isStartSelected })
    return { nodes: [first.node, ...nodes], edges: [...first.edges, ...edges] }
  }, [nodes, edges, graph, start, isStartSelected])
}

/** A card also shows outputs that are in use, so edges are part of the input. */
const outputKey = (deleting: readonly GraphEdge[] | undefined): string =>
  (deleting ?? []).map((edge) => edge.source_handle ?? '').join('\n')

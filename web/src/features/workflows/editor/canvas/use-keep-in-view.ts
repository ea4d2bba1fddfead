/** The selected node stays where it can be seen, also when its settings take a part of the canvas. */
import type { Graph } from '@chancery/contract/workflow-graph.ts'
import { useReactFlow } from '@xyflow/react'
import { type RefObject, useEffect, useRef } from 'react'
import { cardHeight, cardWidth } from '../../graph/card-size.ts'
import { handlesOf } from '../../graph/node-kinds.ts'

const moveMs = 160
/** Where a phone shows the whole graph, the words on the cards are too small to read. */
const readableZoom = 0.6

export function useKeepInView(graph: Graph, nodeId: string | undefined, place: RefObject<HTMLElement | null>) {
  const flow = useReactFlow()
  const node = graph.nodes.find(({ id }) => id === nodeId)
  const latest = useRef(node)
  latest.current = node
  useEffect(() => {
    const box = place.current
    if (!box || nodeId === undefined) return
    // Observing tells the size once at the start, and then whenever it changes.
    const observer = new ResizeObserver(([entry]) => {
      const { current } = latest
      if (!entry || !current) return
      const { width, height } = entry.contentRect
      const { x, y, zoom } = flow.getViewport()
      const size = { width: cardWidth, height: cardHeight(handlesOf(current), false) }
      const left = current.position.x * zoom + x
      const top = current.position.y * zoom + y
      const isSeen = left >= 0 && top >= 0 && left + size.width * zoom <= width && top + size.height * zoom <= height
      if (isSeen && zoom >= readableZoom) return
      const middle = [current.position.x + size.width / 2, current.position.y + size.height / 2] as const
      void flow.setCenter(...middle, { zoom: Math.max(zoom, readableZoom), duration: moveMs })
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [flow, nodeId, place])
}

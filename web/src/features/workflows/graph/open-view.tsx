/**
 * Opens the view upon the graph, and anew when its frame changes size, until the reader has moved it: then it is theirs.
 * Once only, where a size changes by what the reader does: what they clicked on must not move away.
 */
import { useReactFlow, useStore } from '@xyflow/react'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { CardNode } from './flow-elements.ts'
import { openingView } from './opening-view.ts'

interface OpenViewProps {
  isTheirs: RefObject<boolean>
  /** The node that must be seen. */
  around: string | undefined
  isOnce?: boolean
}

export function OpenView({ isTheirs, around, isOnce = false }: OpenViewProps) {
  const flow = useReactFlow<CardNode>()
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const open = useEffectEvent(() => {
    if (isTheirs.current) return
    const boxes = flow.getNodes().map(({ id, position, width: cardWidth = 0, height: cardHeight = 0 }) => ({
      ...{ id, ...position, width: cardWidth, height: cardHeight },
    }))
    const view = openingView(boxes, { width, height }, around)
    if (!view) return
    isTheirs.current = isOnce
    void flow.setViewport(view)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what it answers to
  useEffect(() => open(), [width, height])
  return null
}

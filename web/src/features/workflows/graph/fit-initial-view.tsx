/**
 * Fits the graph into view, and again when its frame changes size, until the user moves it. With `once`, it fits only
 * once: a click must not make the clicked node move away.
 */
import { useReactFlow, useStore } from '@xyflow/react'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { initialView } from './initial-view.ts'
import type { FlowNode } from './start-node.ts'

interface OpenViewProps {
  isTheirs: RefObject<boolean>
  /** The nodes that must be visible. */
  around: readonly string[]
  isOnce?: boolean
  /** The whole graph is shown down to this zoom; as long as it can be read, if it isn't given. */
  wholeFrom?: number
}

export function FitInitialView({ isTheirs, around, isOnce = false, wholeFrom }: OpenViewProps) {
  const flow = useReactFlow<FlowNode>()
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const open = useEffectEvent(() => {
    if (isTheirs.current) return
    const boxes = flow.getNodes().map(({ id, position, width: cardWidth = 0, height: cardHeight = 0 }) => ({
      id,
      ...position,
      width: cardWidth,
      height: cardHeight,
    }))
    const view = initialView(boxes, { width, height }, { around, wholeFrom })
    if (!view) return
    isTheirs.current = isOnce
    void flow.setViewport(view)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the triggers of the effect
  useEffect(() => open(), [width, height])
  return null
}

/** Scrolls a node into view when it is selected or becomes active in a run. */
import { useReactFlow, useStoreApi } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'
import { cardWidth } from './card-size.ts'
import { readableZoom } from './initial-view.ts'

/** A partly hidden card counts as hidden. */
const margin = 24
const moveMs = 180

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

interface FollowNodeProps {
  id: string | undefined
  /** True once the user has moved the view themselves: it is then left alone. */
  unless?: RefObject<boolean>
}

export function FollowNode({ id, unless }: FollowNodeProps) {
  const flow = useReactFlow()
  const store = useStoreApi()
  useEffect(() => {
    const node = id === undefined ? undefined : flow.getNode(id)
    if (!node || unless?.current) return
    const { width, height, transform } = store.getState()
    const [x, y, zoom] = transform
    const cardHeight = node.height ?? node.measured?.height ?? 0
    const left = node.position.x * zoom + x
    const top = node.position.y * zoom + y
    const isInView =
      left >= margin &&
      top >= margin &&
      left + cardWidth * zoom <= width - margin &&
      top + cardHeight * zoom <= height - margin
    if (isInView) return
    void flow.setCenter(node.position.x + cardWidth / 2, node.position.y + cardHeight / 2, {
      zoom: Math.max(zoom, readableZoom),
      duration: isStill() ? 0 : moveMs,
    })
  }, [id, unless, flow, store])
  return null
}

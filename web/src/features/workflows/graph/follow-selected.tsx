/** Brings the selected node into view where it is out of it: whoever steps from one to the next need not search. */
import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import { cardWidth } from './card-size.ts'

/** A card that is partly hidden is hidden enough. */
const margin = 24
const readableZoom = 0.6
const moveMs = 180

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

export function FollowSelected({ id }: { id: string | undefined }) {
  const flow = useReactFlow()
  const store = useStoreApi()
  useEffect(() => {
    const node = id === undefined ? undefined : flow.getNode(id)
    if (!node) return
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
      ...{ zoom: Math.max(zoom, readableZoom), duration: isStill() ? 0 : moveMs },
    })
  }, [id, flow, store])
  return null
}

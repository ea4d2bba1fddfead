/** Fits the graph anew when its frame changes size, until the reader has moved it: then it is theirs. */
import { useReactFlow, useStore } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'

interface KeepFittedProps {
  isTheirs: RefObject<boolean>
  options: { padding: number; maxZoom: number }
}

export function KeepFitted({ isTheirs, options }: KeepFittedProps) {
  const { fitView } = useReactFlow()
  const width = useStore((flow) => flow.width)
  const height = useStore((flow) => flow.height)
  useEffect(() => {
    if (width > 0 && height > 0 && !isTheirs.current) void fitView(options)
  }, [width, height, fitView, isTheirs, options])
  return null
}

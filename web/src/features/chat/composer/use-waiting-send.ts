/** A message entered before the models are known is sent as soon as they are. Typing on takes it back. */
import { useEffect, useState } from 'react'
import { toast } from '#ui/toast.tsx'
import { useModels } from '../api.ts'

interface Waiting {
  text: string
  hasModel: boolean
  send: () => Promise<void>
}

export function useWaitingSend({ text, hasModel, send }: Waiting) {
  const list = useModels()
  const [waitingText, setWaitingText] = useState<string>()
  const isWaiting = waitingText !== undefined && waitingText === text
  // Without a model after loading, waiting would never end.
  const isHopeless = !hasModel && !list.isPending
  // biome-ignore lint/correctness/useExhaustiveDependencies: `send` is new with every render; the model's arrival counts
  useEffect(() => {
    if (!isWaiting) return
    if (!hasModel && !isHopeless) return
    setWaitingText(undefined)
    if (hasModel) void send()
    else toast.failed(new Error('You can’t use any model yet. Ask your platform admin for one.'))
  }, [isWaiting, hasModel, isHopeless])
  return { isWaiting, wait: () => setWaitingText(text) }
}

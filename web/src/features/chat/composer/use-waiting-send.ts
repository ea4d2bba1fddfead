/** A message entered before the models are known, or its files are read, is sent as soon as they are. Typing on takes it back. */
import { useEffect, useState } from 'react'
import { useModels } from '#data/models.ts'
import { toast } from '#ui/feedback/toast.ts'
import type { Attached } from '../attachments/use-attachments.ts'

interface Waiting {
  text: string
  hasModel: boolean
  items: readonly Attached[]
  canSend: boolean
  send: () => Promise<void>
}

export function useWaitingSend({ text, hasModel, items, canSend, send }: Waiting) {
  const list = useModels()
  const [waitingText, setWaitingText] = useState<string>()
  const isWaiting = waitingText !== undefined && waitingText === text
  const problem = problemOf({ list, hasModel, items })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `send` and the error are new with every render
  useEffect(() => {
    if (!isWaiting || (!canSend && problem === undefined)) return
    setWaitingText(undefined)
    if (canSend) void send()
    else toast.failed(problem)
  }, [isWaiting, canSend, problem === undefined])
  return { isWaiting, isLoading: list.isPending, wait: () => setWaitingText(text) }
}

/** A problem that doesn't go away by waiting. */
const problemOf = ({
  list,
  hasModel,
  items,
}: Pick<Waiting, 'hasModel' | 'items'> & { list: ReturnType<typeof useModels> }): Error | undefined => {
  if (!hasModel && list.isError) return list.error
  if (!hasModel && !list.isPending) return new Error('You can’t use any model yet. Ask your platform admin for one.')
  if (items.some(({ state }) => state === 'failed'))
    return new Error('A file couldn’t be attached. Remove it, and send the message again.')
  return undefined
}

/**
 * A text that counts when its field is left, since half of it would do harm: a secret, a name that edges hang on, the
 * address that secrets belong to. Until then it is held here; undo drops it.
 */
import { type ChangeEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { usePending } from '../pending.ts'

type TextField = HTMLInputElement | HTMLTextAreaElement

interface HeldSettings {
  /** What the text is typed over. Where that changes elsewhere, by undo say, the text is dropped. */
  of: string
  /** What has a problem stays in the field, and does not count. */
  problemOf?: (text: string) => string | undefined
  onText: (text: string) => void
}

export function useHeld({ of, problemOf, onText }: HeldSettings) {
  const [held, setHeld] = useState<{ text: string; of: string }>()
  const typed = held?.of === of ? held.text : undefined
  const problem = typed === undefined ? undefined : problemOf?.(typed)
  usePending(typed !== undefined)
  const take = () => {
    if (typed === undefined || problem !== undefined) return
    setHeld(undefined)
    onText(typed)
  }
  const onKeyDown = (event: KeyboardEvent<TextField>) => {
    if (typed === undefined || event.nativeEvent.isComposing) return
    const isUndo = (event.metaKey || event.ctrlKey) && !event.shiftKey && event.key.toLowerCase() === 'z'
    if (isUndo) {
      event.preventDefault()
      setHeld(undefined)
    }
    if (event.key === 'Enter' && event.currentTarget instanceof HTMLInputElement) take()
  }
  const onChange = (event: ChangeEvent<TextField>) => setHeld({ text: event.target.value, of })
  return { typed, problem, events: { onChange, onBlur: take, onKeyDown } }
}

/**
 * A field may go without being left, when the address chooses another node: what it holds counts then too. Not for a row
 * of several, which also goes when the rows are replaced, and would bring the old ones back.
 */
export function useTakenAtEnd(take: () => void) {
  const takeLast = useEffectEvent(take)
  useEffect(() => () => takeLast(), [])
}

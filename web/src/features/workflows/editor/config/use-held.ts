/**
 * A text that counts when its field is left, since half of it would do harm: a secret, a name that edges hang on, the
 * address that secrets belong to. Until then it is held here; undo drops it.
 */
import { type ChangeEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { usePending } from '../pending.ts'
import type { useDraft } from './use-draft.ts'

type TextField = HTMLInputElement | HTMLTextAreaElement

interface HeldSettings {
  /** What the text is typed over. Where that changes elsewhere, by undo say, the text is dropped. */
  of: string
  /** What has a problem stays in the field, and does not count. */
  problemOf?: (text: string) => string | undefined
  /** Where it stays while another node is looked at, for what can have a problem. */
  kept?: ReturnType<typeof useDraft>
  onText: (text: string) => void
}

export function useHeld({ of, problemOf, kept, onText }: HeldSettings) {
  const [held, setHeld] = useState<{ text: string; of: string }>()
  const typed = held?.of === of ? held.text : kept?.draft?.text
  const problem = typed === undefined ? undefined : problemOf?.(typed)
  usePending(typed !== undefined)
  const drop = () => {
    setHeld(undefined)
    kept?.keep(undefined)
  }
  const take = () => {
    if (typed === undefined || problem !== undefined) return
    drop()
    onText(typed)
  }
  const onKeyDown = (event: KeyboardEvent<TextField>) => {
    if (typed === undefined || event.nativeEvent.isComposing) return
    const isUndo = (event.metaKey || event.ctrlKey) && !event.shiftKey && event.key.toLowerCase() === 'z'
    if (isUndo) {
      event.preventDefault()
      drop()
    }
    if (event.key === 'Enter' && event.currentTarget instanceof HTMLInputElement) take()
  }
  const onChange = (event: ChangeEvent<TextField>) => {
    const text = event.target.value
    setHeld({ text, of })
    const found = problemOf?.(text)
    kept?.keep(found === undefined ? undefined : { text, problem: found })
  }
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

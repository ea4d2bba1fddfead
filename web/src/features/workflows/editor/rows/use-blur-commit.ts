/**
 * Text that is applied when its field loses focus, because a partial value would do harm: a secret, a name that edges
 * refer to, a URL that secrets belong to. Undo discards it.
 */
import { type ChangeEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { usePending } from '../pending.ts'
import type { useDraft } from './use-draft.ts'

type TextField = HTMLInputElement | HTMLTextAreaElement

interface BlurCommitSettings {
  /** The value the text is based on. If that changes elsewhere, for example by undo, the text is discarded. */
  of: string
  /** Text with a problem stays in the field and isn't applied. */
  problemOf?: (text: string) => string | undefined
  /** Keeps text with a problem while another node is selected. */
  draftState?: ReturnType<typeof useDraft>
  onText: (text: string) => void
}

export function useBlurCommit({ of, problemOf, draftState, onText }: BlurCommitSettings) {
  const [held, setHeld] = useState<{ text: string; of: string }>()
  const typed = held?.of === of ? held.text : draftState?.draft?.text
  const problem = typed === undefined ? undefined : problemOf?.(typed)
  usePending(typed !== undefined)
  const drop = () => {
    setHeld(undefined)
    draftState?.keep(undefined)
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
    draftState?.keep(found === undefined ? undefined : { text, problem: found })
  }
  return { typed, problem, events: { onChange, onBlur: take, onKeyDown } }
}

/**
 * A field can unmount without a blur, when the URL selects another node: its text is applied then too. Not for rows of
 * a list, which also unmount when the rows are replaced and would bring the old ones back.
 */
export function useTakenAtEnd(take: () => void) {
  const takeLast = useEffectEvent(take)
  useEffect(() => () => takeLast(), [])
}

/** The unsent text, stored in this browser per person and chat, so it survives a reload. That of a temporary chat isn't. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { usePerson } from '#data/viewer.ts'
import { readStored, removeStored, store } from '#lib/browser/browser-storage.ts'

const restMs = 250

export function useDraft(chatId: string | undefined): [string, (text: string) => void] {
  const { id } = usePerson()
  const key = chatId && `draft.${id}.${chatId}`
  const [text, setText] = useState(() => (key && readStored(key)) ?? '')
  const unsaved = useRef<string>(undefined)

  const save = useCallback(() => {
    const last = unsaved.current
    if (last === undefined || key === undefined) return
    unsaved.current = undefined
    if (last.trim() === '') removeStored(key)
    else store(key, last)
  }, [key])

  const write = useCallback((next: string) => {
    unsaved.current = next
    setText(next)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text restarts the timer
  useEffect(() => {
    const timer = setTimeout(save, restMs)
    return () => clearTimeout(timer)
  }, [text, save])

  useEffect(() => {
    addEventListener('pagehide', save)
    return () => {
      removeEventListener('pagehide', save)
      save()
    }
  }, [save])

  return [text, write]
}

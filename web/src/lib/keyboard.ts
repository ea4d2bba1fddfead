/**
 * Global shortcuts: single keys (`?`), sequences (`g c`) and chords (`mod+k`). A key pressed while typing belongs to
 * the text, and one pressed inside a dialog belongs to the dialog.
 */
import { useEffect, useRef } from 'react'

export interface Shortcut {
  keys: string
  label: string
  run: () => void
  /** Handled by the focused field itself; listed here only for the help dialog. */
  isWhileWriting?: boolean
}

const sequenceMs = 900
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

export const isInDialog = () => document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'> & { shiftKey?: boolean }

/** Shift counts only in a chord: alone it produces another character, such as `?`. */
export function pressOf(event: Press): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (!event.metaKey && !event.ctrlKey) return key
  return event.shiftKey ? `mod+shift+${key}` : `mod+${key}`
}

/** The shortcut a key completes, and the sequence still open after it. */
export function step(shortcuts: readonly Shortcut[], pending: string, press: string) {
  const candidates = pending === '' ? [press] : [`${pending} ${press}`, press]
  for (const keys of candidates) {
    const hit = shortcuts.find((shortcut) => shortcut.keys === keys)
    if (hit) return { hit, pending: '' }
    if (shortcuts.some((shortcut) => shortcut.keys.startsWith(`${keys} `))) return { hit: undefined, pending: keys }
  }
  return { hit: undefined, pending: '' }
}

const registry = new Map<symbol, readonly Shortcut[]>()
let pending = ''
let pressedAt = 0

/** All shortcuts of the current page. */
export const activeShortcuts = (): Shortcut[] => [...registry.values()].flat()

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.altKey || event.isComposing) return
  const press = pressOf(event)
  const isChord = press.startsWith('mod+')
  if (!isChord && (isTyping(event.target) || isInDialog())) return
  const taken = activeShortcuts().filter(({ isWhileWriting }) => !isWhileWriting)
  const next = step(taken, event.timeStamp - pressedAt < sequenceMs ? pending : '', press)
  pending = next.pending
  pressedAt = event.timeStamp
  if (!next.hit) return
  event.preventDefault()
  next.hit.run()
}

/** Shortcuts that are active while the component is mounted. */
export function useShortcuts(shortcuts: readonly Shortcut[]) {
  const id = useRef(Symbol('shortcuts'))
  useEffect(() => {
    const own = id.current
    registry.set(own, shortcuts)
    return () => {
      registry.delete(own)
    }
  }, [shortcuts])
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    // Adding the same listener twice has no effect, so only the last component removes it.
    return () => {
      if (registry.size === 0) window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

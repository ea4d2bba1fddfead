/**
 * Keys that work anywhere on a page: single keys (`?`), sequences (`g c`) and chords (`mod+k`).
 * A key pressed while typing belongs to the text, and one pressed inside a dialog belongs to the dialog.
 */
import { useEffect, useRef } from 'react'

export interface Shortcut {
  keys: string
  label: string
  run: () => void
}

const sequenceMs = 900
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const isInDialog = () => document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null

export function pressOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return event.metaKey || event.ctrlKey ? `mod+${key}` : key
}

/** The shortcut a press completes, and the sequence still open after it. */
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

/** Every shortcut of the page as it stands. */
export const activeShortcuts = (): Shortcut[] => [...registry.values()].flat()

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.altKey || event.isComposing) return
  const press = pressOf(event)
  const isChord = press.startsWith('mod+')
  if (!isChord && (isTyping(event.target) || isInDialog())) return
  const next = step(activeShortcuts(), event.timeStamp - pressedAt < sequenceMs ? pending : '', press)
  pending = next.pending
  pressedAt = event.timeStamp
  if (!next.hit) return
  event.preventDefault()
  next.hit.run()
}

/** Shortcuts that live as long as the component that names them. */
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
    // The same listener added twice is one listener, so only the last to leave takes it away.
    return () => {
      if (registry.size === 0) window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

/**
 * Global shortcuts: single keys (`?`), sequences (`g c`) and chords (`mod+k`). A key pressed while typing belongs to
 * the text, and one pressed inside a dialog belongs to the dialog.
 */
import { useEffect, useRef } from 'react'

export interface Shortcut {
  keys: string
  label: string
  run: () => void
  /** Handled by what has the focus, such as a field or a row. It is only listed in the help, under this heading. */
  group?: string
}

/** Keys that something handles itself while it has the focus, for the help: `{ Enter: 'Send message' }`. */
export const listedKeys = (group: string, labels: Record<string, string>): Shortcut[] =>
  Object.entries(labels).map(([keys, label]) => ({ keys, label, group, run: () => undefined }))

const sequenceMs = 900
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Nothing is typed into a checkbox, a radio button or a switch. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))

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
  const taken = activeShortcuts().filter(({ group }) => group === undefined)
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

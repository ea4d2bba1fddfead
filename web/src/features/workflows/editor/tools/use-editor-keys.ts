/**
 * The editor's keys. What a text field knows itself (copy, paste, select all, delete) stays with it; the rest works
 * anywhere in the editor. Copies travel by the system's clipboard, so they can be pasted into another window.
 */
import { useEffect, useMemo } from 'react'
import { isInDialog, isTyping, type Shortcut, useShortcuts } from '#lib/keyboard.ts'

export interface EditorActions {
  add: () => void
  undo: () => void
  redo: () => void
  duplicate: () => void
  remove: () => void
  selectAll: () => void
  clear: () => void
  tidy: () => void
  fit: () => void
  /** What goes to the clipboard, if anything is selected. */
  copy: () => string | undefined
  /** Whether the text was nodes. */
  paste: (text: string) => boolean
}

/** Buttons beside the canvas: a key pressed on one is not meant for a node. */
const isBesideCanvas = (target: EventTarget | null) =>
  target instanceof Element && target.closest('aside, [role="toolbar"]') !== null

const hasMarkedText = () => !(window.getSelection()?.isCollapsed ?? true)

export function useEditorKeys(actions: EditorActions) {
  useShortcuts(useMemo(() => pageKeys(actions), [actions]))
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handleKey(event, actions)
    const onCopy = (event: ClipboardEvent) => {
      if (isTyping(event.target) || isInDialog() || hasMarkedText()) return
      const text = actions.copy()
      if (text === undefined) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut') actions.remove()
    }
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || isInDialog()) return
      if (actions.paste(event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('copy', onCopy)
    document.addEventListener('cut', onCopy)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('cut', onCopy)
      document.removeEventListener('paste', onPaste)
    }
  }, [actions])
}

/** Before the browser's own meaning of the key. Keys of a dialog, or of a text, are not ours. */
function handleKey(event: KeyboardEvent, actions: EditorActions) {
  if (event.defaultPrevented || event.altKey || event.isComposing || isInDialog()) return
  const isChord = event.metaKey || event.ctrlKey
  const run = isChord ? chordOf(event, actions) : plainOf(event, actions)
  if (!run) return
  event.preventDefault()
  run()
}

function chordOf(event: KeyboardEvent, actions: EditorActions): (() => void) | undefined {
  const key = event.key.toLowerCase()
  // A text of the panel is part of the graph: its changes are taken back with the graph's.
  if (key === 'z') return event.shiftKey ? actions.redo : actions.undo
  if (key === 'y') return actions.redo
  if (isTyping(event.target)) return undefined
  if (key === 'd') return actions.duplicate
  return key === 'a' ? actions.selectAll : undefined
}

/** Escape leaves the innermost: a text first, then the selection. */
function plainOf({ key, target }: KeyboardEvent, actions: EditorActions): (() => void) | undefined {
  if (isTyping(target)) return key === 'Escape' && target instanceof HTMLElement ? () => target.blur() : undefined
  if (key === 'Delete' || key === 'Backspace') return isBesideCanvas(target) ? undefined : actions.remove
  return key === 'Escape' ? actions.clear : undefined
}

/** Those of the page, and for the list of keys those that are taken above. */
function pageKeys(actions: EditorActions): Shortcut[] {
  const named = (keys: string, label: string, run: () => void): Shortcut => ({ keys, label, run, isWhileWriting: true })
  const nothing = () => undefined
  return [
    { keys: 'a', label: 'Add a node', run: actions.add },
    { keys: 'l', label: 'Lay the graph out', run: actions.tidy },
    { keys: 'f', label: 'Zoom to fit', run: actions.fit },
    named('mod+z', 'Undo', actions.undo),
    named('mod+shift+z', 'Redo', actions.redo),
    named('mod+c', 'Copy nodes', nothing),
    named('mod+x', 'Cut nodes', nothing),
    named('mod+v', 'Paste nodes', nothing),
    named('mod+d', 'Duplicate nodes', actions.duplicate),
    named('mod+a', 'Select all nodes', actions.selectAll),
    named('Delete', 'Delete what is selected', actions.remove),
  ]
}

/**
 * The editor's keys. What a text field knows itself (copy, paste, select all, delete) stays with it; the rest works
 * anywhere in the editor. Copies travel by the system's clipboard, so they can be pasted into another window.
 */
import { useEffect, useMemo } from 'react'
import { isInDialog, isTyping, type Shortcut, useShortcuts } from '#lib/keyboard.ts'

export interface EditorDeeds {
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

export function useEditorKeys(deeds: EditorDeeds) {
  useShortcuts(useMemo(() => pageKeys(deeds), [deeds]))
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handleKey(event, deeds)
    const onCopy = (event: ClipboardEvent) => {
      if (isTyping(event.target) || isInDialog() || hasMarkedText()) return
      const text = deeds.copy()
      if (text === undefined) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut') deeds.remove()
    }
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || isInDialog()) return
      if (deeds.paste(event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault()
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
  }, [deeds])
}

/** Before the browser's own meaning of the key. Keys of a dialog, or of a text, are not ours. */
function handleKey(event: KeyboardEvent, deeds: EditorDeeds) {
  if (event.defaultPrevented || event.altKey || event.isComposing || isInDialog()) return
  const isChord = event.metaKey || event.ctrlKey
  const run = isChord ? chordOf(event, deeds) : plainOf(event, deeds)
  if (!run) return
  event.preventDefault()
  run()
}

function chordOf(event: KeyboardEvent, deeds: EditorDeeds): (() => void) | undefined {
  const key = event.key.toLowerCase()
  // A text of the panel is part of the graph: its changes are taken back with the graph's.
  if (key === 'z') return event.shiftKey ? deeds.redo : deeds.undo
  if (key === 'y') return deeds.redo
  if (isTyping(event.target)) return undefined
  if (key === 'd') return deeds.duplicate
  return key === 'a' ? deeds.selectAll : undefined
}

/** Escape leaves the innermost: a text first, then the selection. */
function plainOf({ key, target }: KeyboardEvent, deeds: EditorDeeds): (() => void) | undefined {
  if (isTyping(target)) return key === 'Escape' && target instanceof HTMLElement ? () => target.blur() : undefined
  if (key === 'Delete' || key === 'Backspace') return isBesideCanvas(target) ? undefined : deeds.remove
  return key === 'Escape' ? deeds.clear : undefined
}

/** Those of the page, and for the list of keys those that are taken above. */
function pageKeys(deeds: EditorDeeds): Shortcut[] {
  const named = (keys: string, label: string, run: () => void): Shortcut => ({ keys, label, run, isWhileWriting: true })
  const nothing = () => undefined
  return [
    { keys: 'a', label: 'Add a node', run: deeds.add },
    { keys: 'l', label: 'Lay the graph out', run: deeds.tidy },
    { keys: 'f', label: 'Zoom to fit', run: deeds.fit },
    named('mod+z', 'Undo', deeds.undo),
    named('mod+shift+z', 'Redo', deeds.redo),
    named('mod+c', 'Copy nodes', nothing),
    named('mod+x', 'Cut nodes', nothing),
    named('mod+v', 'Paste nodes', nothing),
    named('mod+d', 'Duplicate nodes', deeds.duplicate),
    named('mod+a', 'Select all nodes', deeds.selectAll),
    named('Delete', 'Delete what is selected', deeds.remove),
  ]
}

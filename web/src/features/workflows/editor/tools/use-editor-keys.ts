/**
 * The editor's keyboard shortcuts. Text fields keep their own (copy, paste, select all, delete); the rest works
 * anywhere in the editor. Copies use the system clipboard, so they can be pasted into another window.
 */
import { useEffect, useMemo } from 'react'
import { isInDialog, isTyping, type Shortcut, useShortcuts } from '#lib/keyboard/keyboard.ts'

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
  /** The text for the clipboard, if anything is selected. */
  copy: () => string | undefined
  /** Returns true if the text contained nodes. */
  paste: (text: string) => boolean
}

/** Buttons beside the canvas: a key pressed on one of them isn't meant for a node. */
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

/** Runs before the browser's default. Keys in dialogs and text fields are left alone. */
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
  // Fields of the panel are part of the graph, so undo there undoes the graph's change.
  if (key === 'z') return event.shiftKey ? actions.redo : actions.undo
  if (key === 'y') return actions.redo
  if (isTyping(event.target)) return undefined
  if (key === 'd') return actions.duplicate
  return key === 'a' ? actions.selectAll : undefined
}

/** Escape leaves the innermost: a text field first, then the selection. */
function plainOf({ key, target }: KeyboardEvent, actions: EditorActions): (() => void) | undefined {
  if (isTyping(target)) return key === 'Escape' && target instanceof HTMLElement ? () => target.blur() : undefined
  if (key === 'Delete' || key === 'Backspace') return isBesideCanvas(target) ? undefined : actions.remove
  return key === 'Escape' ? actions.clear : undefined
}

/** Registered shortcuts of the page, plus entries for the help dialog for those handled above. */
function pageKeys(actions: EditorActions): Shortcut[] {
  const named = (keys: string, label: string, run: () => void): Shortcut => ({
    keys,
    label,
    run,
    group: 'On the canvas',
  })
  const nothing = () => undefined
  return [
    { keys: 'a', label: 'Add node', run: actions.add },
    { keys: 'l', label: 'Tidy up', run: actions.tidy },
    { keys: 'f', label: 'Zoom to fit', run: actions.fit },
    named('mod+z', 'Undo', actions.undo),
    named('mod+shift+z', 'Redo', actions.redo),
    named('mod+c', 'Copy nodes', nothing),
    named('mod+x', 'Cut nodes', nothing),
    named('mod+v', 'Paste nodes', nothing),
    named('mod+d', 'Duplicate nodes', actions.duplicate),
    named('mod+a', 'Select all nodes', actions.selectAll),
    named('Delete', 'Delete selection', actions.remove),
  ]
}

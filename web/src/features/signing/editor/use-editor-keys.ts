/**
 * Keys of the editor: arrows move, with Alt they resize, with Shift by larger steps. They are off while somebody types or
 * a dialog is open.
 */
import { useEffect, useRef } from 'react'
import { isInDialog, isTyping, listedKeys, pressOf, useShortcuts } from '#lib/keyboard.ts'
import { limitMove, moved, resized } from './state/geometry.ts'
import type { Editor, PageRef } from './use-editor.ts'

const step = 0.0025
const largeStep = 0.025

const directions: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Whether the key did something. */
function act(editor: Editor, page: PageRef | undefined, event: KeyboardEvent): boolean {
  const { selected, fields, chosen } = editor
  const direction = directions[event.key]
  if (direction && selected.size > 0 && !event.ctrlKey && !event.metaKey) {
    const by = event.shiftKey ? largeStep : step
    const wanted = { dx: direction[0] * by, dy: direction[1] * by }
    const move = limitMove(chosen, wanted)
    if (event.altKey) editor.update(selected, (field) => ({ ...field, ...resized(field, 'se', wanted) }), 'resize')
    else editor.update(selected, (field) => moved(field, move), 'nudge')
    return true
  }
  const actions: Record<string, (() => unknown) | undefined> = {
    'mod+z': editor.undo,
    'mod+shift+z': editor.redo,
    'mod+y': editor.redo,
    ...(page && {
      'mod+v': () => editor.paste(page),
      'mod+a': () =>
        editor.select(
          fields.filter((field) => field.fileId === page.fileId && field.page === page.page).map(({ key }) => key),
        ),
    }),
    ...(selected.size > 0 && {
      Delete: editor.remove,
      Backspace: editor.remove,
      Escape: editor.clear,
      'mod+c': editor.copy,
      'mod+d': editor.duplicate,
    }),
  }
  const run = actions[pressOf(event)]
  run?.()
  return run !== undefined
}

/** For the help only: the keys are handled below, where the selection is known. */
const listed = listedKeys('On the pages', {
  'mod+z': 'Undo',
  'mod+shift+z': 'Redo',
  'mod+c': 'Copy fields',
  'mod+v': 'Paste fields',
  'mod+d': 'Duplicate fields',
  'mod+a': 'Select all fields of the page',
  'ArrowLeft ArrowRight ArrowUp ArrowDown': 'Move fields',
  'alt+ArrowLeft ArrowRight ArrowUp ArrowDown': 'Resize fields',
  shift: 'With arrows: larger steps',
  Delete: 'Delete fields',
  Escape: 'Clear selection',
})

export function useEditorKeys(editor: Editor, page: PageRef | undefined) {
  const latest = useRef({ editor, page })
  latest.current = { editor, page }
  useShortcuts(listed)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || isInDialog()) return
      // Selected text is copied as text.
      if (pressOf(event) === 'mod+c' && String(getSelection()) !== '') return
      if (act(latest.current.editor, latest.current.page, event)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

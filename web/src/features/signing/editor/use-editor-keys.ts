/**
 * Keys of the editor: arrows move, with Alt they resize, with Shift by larger steps. They are off while somebody types or
 * a dialog is open.
 */
import { useEffect, useRef } from 'react'
import { isInDialog, isTyping, listedKeys, pressOf, useShortcuts } from '#lib/keyboard/keyboard.ts'
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

/** The keys below, as the help lists them. A key without a label or a label without a key doesn't compile. */
const actionLabels = {
  'mod+z': 'Undo',
  'mod+shift+z': 'Redo',
  'mod+c': 'Copy fields',
  'mod+v': 'Paste fields',
  'mod+d': 'Duplicate fields',
  'mod+a': 'Select all fields of the page',
  Delete: 'Delete fields',
  Escape: 'Clear selection',
} as const
const arrows = Object.keys(directions).join(' ')
const listed = listedKeys('On the pages', {
  ...actionLabels,
  [arrows]: 'Move fields',
  [`alt+${arrows}`]: 'Resize fields',
  shift: 'With arrows: larger steps',
})
/** Second keys of actions that are listed already. */
type Alias = 'mod+y' | 'Backspace'

const selectPage = ({ fields, select }: Editor, { fileId, page }: PageRef) =>
  select(fields.filter((field) => field.fileId === fileId && field.page === page).map(({ key }) => key))

/** Returns true if the key did something. */
function act(editor: Editor, page: PageRef | undefined, event: KeyboardEvent): boolean {
  const { selected, chosen } = editor
  const direction = directions[event.key]
  if (direction && selected.size > 0 && !event.ctrlKey && !event.metaKey) {
    const by = event.shiftKey ? largeStep : step
    const wanted = { dx: direction[0] * by, dy: direction[1] * by }
    const move = limitMove(chosen, wanted)
    if (event.altKey) editor.update(selected, (field) => ({ ...field, ...resized(field, 'se', wanted) }), 'resize')
    else editor.update(selected, (field) => moved(field, move), 'nudge')
    return true
  }
  const hasSelection = selected.size > 0
  const actions: Record<keyof typeof actionLabels | Alias, (() => unknown) | false | undefined> = {
    'mod+z': editor.undo,
    'mod+shift+z': editor.redo,
    'mod+y': editor.redo,
    'mod+v': page && (() => editor.paste(page)),
    'mod+a': page && (() => selectPage(editor, page)),
    'mod+c': hasSelection && editor.copy,
    'mod+d': hasSelection && editor.duplicate,
    Delete: hasSelection && editor.remove,
    Backspace: hasSelection && editor.remove,
    Escape: hasSelection && editor.clear,
  }
  const run = new Map(Object.entries(actions)).get(pressOf(event))
  if (!run) return false
  run()
  return true
}

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

/** The shortcuts of the chat screen, for the help dialog and to work outside of text fields. */
import { useMemo } from 'react'
import { type Shortcut, useShortcuts } from '#lib/keyboard.ts'

interface ChatKeys {
  onNew: () => void
  onWrite: () => void
  onStop?: (() => void) | undefined
}

const none = () => {}
const fieldShortcuts: Shortcut[] = [
  { keys: 'Enter', label: 'Send message', run: none, isWhileWriting: true },
  { keys: 'shift+Enter', label: 'New line', run: none, isWhileWriting: true },
  { keys: 'ArrowUp', label: 'Edit your last message', run: none, isWhileWriting: true },
]

export function useChatKeys({ onNew, onWrite, onStop }: ChatKeys) {
  useShortcuts(
    useMemo(
      () => [
        { keys: 'n', label: 'New chat', run: onNew },
        { keys: 'mod+shift+o', label: 'New chat (also while typing)', run: onNew },
        { keys: 'i', label: 'Write a message', run: onWrite },
        ...fieldShortcuts,
        onStop
          ? { keys: 'Escape', label: 'Stop reply', run: onStop }
          : { keys: 'Escape', label: 'Stop reply', run: none, isWhileWriting: true },
      ],
      [onNew, onWrite, onStop],
    ),
  )
}

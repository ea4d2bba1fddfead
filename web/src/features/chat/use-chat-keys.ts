/** The keys of the chat screen, for the list of keys and, where no field takes them itself, to work anywhere. */
import { useMemo } from 'react'
import { type Shortcut, useShortcuts } from '#lib/keyboard.ts'

interface ChatKeys {
  onNew: () => void
  onWrite: () => void
  onStop?: (() => void) | undefined
}

const none = () => {}
const inTheField: Shortcut[] = [
  { keys: 'Enter', label: 'Send the message', run: none, isWhileWriting: true },
  { keys: 'shift+Enter', label: 'New line', run: none, isWhileWriting: true },
  { keys: 'ArrowUp', label: 'Edit your last message', run: none, isWhileWriting: true },
]

export function useChatKeys({ onNew, onWrite, onStop }: ChatKeys) {
  useShortcuts(
    useMemo(
      () => [
        { keys: 'n', label: 'New chat', run: onNew },
        { keys: 'mod+shift+o', label: 'New chat, also while writing', run: onNew },
        { keys: 'i', label: 'Write a message', run: onWrite },
        ...inTheField,
        onStop
          ? { keys: 'Escape', label: 'Stop the reply', run: onStop }
          : { keys: 'Escape', label: 'Stop the reply', run: none, isWhileWriting: true },
      ],
      [onNew, onWrite, onStop],
    ),
  )
}

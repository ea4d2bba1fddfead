/** The shortcuts of the chat screen, for the help dialog and to work outside of text fields. */
import { useMemo } from 'react'
import { listedKeys, useShortcuts } from '#lib/keyboard/keyboard.ts'
import { mentionSign } from './attachments/mention.ts'
import { promptSign } from './prompts/find-prompts.ts'

interface ChatKeys {
  onNew: () => void
  onWrite: () => void
  onStop?: (() => void) | undefined
}

/** The keys that the message field handles, as the help lists them. */
export const fieldKeyLabels = {
  Enter: 'Send message',
  'shift+Enter': 'New line',
  ArrowUp: 'Edit your last message',
  Escape: 'Stop reply',
} as const
const fieldKeys = listedKeys('In the message field', {
  ...fieldKeyLabels,
  [promptSign]: 'Insert a prompt',
  [mentionSign]: 'Add a file or collection',
})

export function useChatKeys({ onNew, onWrite, onStop }: ChatKeys) {
  useShortcuts(
    useMemo(
      () => [
        { keys: 'n', label: 'New chat', run: onNew },
        { keys: 'mod+shift+o', label: 'New chat (also while typing)', run: onNew },
        { keys: 'i', label: 'Write a message', run: onWrite },
        ...(onStop ? [{ keys: 'Escape', label: 'Stop reply', run: onStop }] : []),
        ...fieldKeys,
      ],
      [onNew, onWrite, onStop],
    ),
  )
}

/** Asks before a message is deleted. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { useState } from 'react'
import { Confirm } from '#ui/overlay/dialog.tsx'

interface DeleteMessageProps {
  message: Message | undefined
  onDelete: (message: Message) => Promise<boolean>
  onClose: () => void
}

export function DeleteMessage({ message, onDelete, onClose }: DeleteMessageProps) {
  const [isPending, setPending] = useState(false)
  const what = message?.role === 'assistant' ? 'reply' : 'message'
  const confirm = async (chosen: Message) => {
    setPending(true)
    await onDelete(chosen)
    setPending(false)
    onClose()
  }
  return (
    <Confirm
      title={`Delete this ${what}?`}
      loss="It can’t be restored. The rest of the conversation stays."
      action={`Delete ${what}`}
      isOpen={message !== undefined}
      isPending={isPending}
      onConfirm={() => message && void confirm(message)}
      onClose={onClose}
    />
  )
}

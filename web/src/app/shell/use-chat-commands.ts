/** Chats found by the palette. Platform admins have no chats. */
import { useRouter } from '@tanstack/react-router'
import { MessageSquareText } from 'lucide-react'
import { useViewer } from '#data/viewer.ts'
import { useFoundChats } from '#features/chat-list/search/use-found-chats.ts'
import type { Command } from './commands.ts'

export function useChatCommands(text: string): Command[] {
  const { kind } = useViewer()
  const router = useRouter()
  return useFoundChats(text, kind === 'person').map(({ id, title }) => ({
    group: 'Chats',
    id,
    label: title,
    icon: MessageSquareText,
    run: () => router.history.push(`/chat/${id}`),
  }))
}

/** One chat. */
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { ConversationScreen } from '#features/chat/conversation-screen.tsx'

const route = getRouteApi('/shell/chat/$chatId')

export function ChatPage() {
  const { chatId } = route.useParams()
  const navigate = route.useNavigate()
  const onNew = useCallback(() => void navigate({ to: '/chat', search: {} }), [navigate])
  return <ConversationScreen key={chatId} chatId={chatId} onNew={onNew} />
}

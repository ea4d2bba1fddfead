/** A chat to print. */
import { getRouteApi } from '@tanstack/react-router'
import { PrintScreen } from '#features/chat/print-screen.tsx'

const route = getRouteApi('/chat/$chatId/print')

export function PrintChatPage() {
  return <PrintScreen chatId={route.useParams().chatId} />
}

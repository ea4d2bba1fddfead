/** A shared chat. It fills the window; the thread scrolls inside. */
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PreviewPanel } from '#features/chat/preview/preview-panel.tsx'
import { preloadMarkdown } from '#features/chat/thread/reply-text.tsx'
import { Thread } from '#features/chat/thread/thread.tsx'
import { SharedFilesContext } from '#features/chat/thread/thread-context.ts'
import { sharedFileUrl } from '#features/chat-list/api.ts'
import { SharedChatView } from '#features/chat-list/sharing/shared-chat.tsx'

const route = getRouteApi('/shell/shared/$shareId')

export function SharedChatPage() {
  const { shareId } = route.useParams()
  const navigate = route.useNavigate()
  useEffect(preloadMarkdown, [])
  return (
    <div className="flex h-[calc(100dvh-3.75rem-env(safe-area-inset-bottom))] max-sm:-mb-20 sm:h-dvh">
      <div className="flex min-w-0 flex-1 flex-col">
        <SharedChatView
          shareId={shareId}
          onContinue={(chatId) => void navigate({ to: '/chat/$chatId', params: { chatId }, search: {} })}
        >
          {({ chat }) => (
            <SharedFilesContext value={(fileId) => sharedFileUrl(shareId, fileId)}>
              <Thread history={chat.history} opensAt="start" />
            </SharedFilesContext>
          )}
        </SharedChatView>
      </div>
      <PreviewPanel chatId={shareId} />
    </div>
  )
}

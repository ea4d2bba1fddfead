/** A chat with a public link. It fills the window; the thread scrolls inside. */
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PreviewPanel } from '#features/chat/preview/preview-panel.tsx'
import { preloadMarkdown } from '#features/chat/thread/reply-text.tsx'
import { Thread } from '#features/chat/thread/thread.tsx'
import { SharedFilesContext } from '#features/chat/thread/thread-context.ts'
import { publicFileUrl } from '#features/chat-list/api.ts'
import { PublicChatView } from '#features/chat-list/sharing/public-chat.tsx'
import { ThemeButton } from '../theme-button.tsx'

const route = getRouteApi('/public/$token')

export function PublicChatPage() {
  const { token } = route.useParams()
  useEffect(preloadMarkdown, [])
  return (
    <main className="flex h-dvh">
      <div className="flex min-w-0 flex-1 flex-col">
        <PublicChatView token={token} aside={<ThemeButton />}>
          {(history) => (
            <SharedFilesContext value={(fileId) => publicFileUrl(token, fileId)}>
              <Thread history={history} opensAt="start" />
            </SharedFilesContext>
          )}
        </PublicChatView>
      </div>
      <PreviewPanel chatId={token} />
    </main>
  )
}

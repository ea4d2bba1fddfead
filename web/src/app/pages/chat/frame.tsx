/** The chat area: the list of chats beside the open one. It fills the window; the thread scrolls inside. */
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { MessageSquareDashed, SquarePen } from 'lucide-react'
import { useEffect } from 'react'
import { listenForQuestions } from '#app/shell/questions.tsx'
import { useLiveModels } from '#data/models.ts'
import { useViewer } from '#data/viewer.ts'
import { useChat } from '#features/chat/api.ts'
import { PreviewPanel } from '#features/chat/preview/preview-panel.tsx'
import { ChatListButton, ChatSidebar } from '#features/chat-list/sidebar/chat-sidebar.tsx'
import { ChatTitle } from '#features/chat-list/sidebar/chat-title.tsx'
import { useSocketLost } from '#lib/http/socket.ts'
import { cx } from '#ui/class-names.ts'

const headLink =
  'inline-flex size-8 items-center justify-center rounded-control text-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink'

const hrefOf = (chatId: string) => `/chat/${chatId}`

export function ChatFrame() {
  const { chatId } = useParams({ strict: false })
  useEffect(listenForQuestions, [])
  useLiveModels(useViewer().id)
  const list = { activeId: chatId, hrefOf, newHref: '/chat' }
  return (
    <div className="flex h-[calc(100dvh-3.75rem-env(safe-area-inset-bottom))] max-sm:-mb-20 sm:h-dvh">
      <ChatSidebar {...list} />
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-14 shrink-0 items-center gap-2 px-3">
          <ChatListButton {...list} />
          {chatId !== undefined && <Title key={chatId} chatId={chatId} />}
          <nav aria-label="Start a chat" className="ml-auto flex gap-1">
            <Link
              to="/chat/temporary"
              aria-label="Temporary chat"
              title="Temporary chat: isn’t saved"
              className={headLink}
            >
              <MessageSquareDashed aria-hidden className="size-4" />
            </Link>
            <Link to="/chat" aria-label="New chat" title="New chat" className={cx(headLink, 'md:hidden')}>
              <SquarePen aria-hidden className="size-4" />
            </Link>
          </nav>
        </header>
        <Outlet />
      </div>
      <PreviewPanel chatId={chatId} />
    </div>
  )
}

/** The only title of the page; it changes when a better one is generated. */
function Title({ chatId }: { chatId: string }) {
  const { data } = useChat(chatId)
  const isLost = useSocketLost()
  return (
    <>
      {data && <ChatTitle chat={data} hrefOf={hrefOf} newHref="/chat" />}
      <span role="status" className="shrink-0 text-faint text-xs">
        {isLost && 'Reconnecting…'}
      </span>
    </>
  )
}

/** The shown branch of a chat as a page to print or to save as a PDF. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { Printer } from 'lucide-react'
import { usePaperTheme } from '#lib/browser/theme.ts'
import { formatExact } from '#lib/time/times.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { useWholeChat } from './api.ts'
import { modelNameOf, type Source, sourcesOf } from './history/parts.ts'
import { continuesFrom } from './history/rows.ts'
import { threadOf } from './history/tree.ts'
import { ReplyText } from './thread/reply-text.tsx'

export function PrintScreen({ chatId }: { chatId: string }) {
  usePaperTheme()
  const chat = useWholeChat(chatId)
  if (chat.isPending) {
    return (
      <Loading label="Loading chat">
        <Skeleton className="m-8 h-6 w-64" />
      </Loading>
    )
  }
  if (chat.isError) return <ErrorPanel error={chat.error} onRetry={chat.refetch} />
  const { title, created_at, chat: stored } = chat.data
  const messages = threadOf(stored.history, continuesFrom(stored.history)).filter(({ content }) => content !== '')
  return (
    <main className="mx-auto max-w-[44rem] px-6 py-8 print:max-w-none print:p-0">
      <PageTitle>{title}</PageTitle>
      <div className="mb-8 flex items-center justify-between gap-4 border-b pb-4 print:hidden">
        <p className="text-soft">In the print dialog, choose “Save as PDF” as the destination.</p>
        <Button look="primary" icon={Printer} onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <h1 className="font-medium font-serif text-xl tracking-tight">{title}</h1>
      <p className="mt-1 text-faint text-sm">{formatExact(new Date(created_at * 1000))}</p>
      {messages.map((message) => (
        <PrintedMessage key={message.id} message={message} />
      ))}
    </main>
  )
}

function PrintedMessage({ message }: { message: Message }) {
  const isUser = message.role === 'user'
  const sources = sourcesOf(message.sources)
  return (
    <article className="mt-7">
      <h2 className="mb-1.5 break-after-avoid font-medium text-soft text-sm">
        {isUser ? 'You' : modelNameOf(message)}
      </h2>
      {isUser ? (
        <p className="whitespace-pre-wrap rounded-panel bg-sunken px-4 py-2.5 text-md leading-relaxed [overflow-wrap:anywhere] print:border">
          {message.content}
        </p>
      ) : (
        <ReplyText text={message.content} isRunning={false} sources={sources} />
      )}
      <SourceNames sources={sources} />
    </article>
  )
}

function SourceNames({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return null
  return (
    <ol aria-label="Sources" className="mt-3 list-inside list-decimal text-faint text-sm">
      {sources.map(({ name, url }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sources are numbered and never reordered
        <li key={index}>
          {name}
          {url !== undefined && `, ${url}`}
        </li>
      ))}
    </ol>
  )
}

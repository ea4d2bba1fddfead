/** The text of a reply, shown as plain text until the Markdown renderer has loaded. */
import { lazy, Suspense } from 'react'
import { Skeleton } from '#ui/states.tsx'
import type { Source } from '../history/parts.ts'

export const loadMarkdown = () => import('../markdown/markdown.tsx')

const Markdown = lazy(async () => ({ default: (await loadMarkdown()).Markdown }))

interface ReplyTextProps {
  text: string
  isRunning: boolean
  sources: readonly Source[]
}

export function ReplyText({ text, isRunning, sources }: ReplyTextProps) {
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap text-md leading-relaxed [overflow-wrap:anywhere]">{text}</p>}>
      <Markdown text={text} isStreaming={isRunning} sources={sources} />
    </Suspense>
  )
}

export const ReplySkeleton = () => (
  <div className="flex flex-col gap-2.5 py-1">
    <Skeleton className="h-3.5 w-11/12" />
    <Skeleton className="h-3.5 w-4/5" />
    <Skeleton className="h-3.5 w-3/5" />
  </div>
)

/** The text of a reply. Until the Markdown renderer has loaded, it is plain text without the source of formulas. */
import { lazy, Suspense } from 'react'
import { Skeleton } from '#ui/feedback/states.tsx'
import type { Source } from '../history/parts.ts'
import { hideFormulas, markMath } from '../markdown/math-marks.ts'

const loadMarkdown = () => import('../markdown/markdown.tsx')

const Markdown = lazy(async () => ({ default: (await loadMarkdown()).Markdown }))

/** For screens that will soon show a reply. An error is shown where the renderer is used. */
export const preloadMarkdown = () => void loadMarkdown().catch(() => undefined)

interface ReplyTextProps {
  text: string
  isRunning: boolean
  sources: readonly Source[]
}

export function ReplyText({ text, isRunning, sources }: ReplyTextProps) {
  return (
    <Suspense fallback={<PlainText text={hideFormulas(markMath(text, isRunning))} />}>
      <Markdown text={text} isStreaming={isRunning} sources={sources} />
    </Suspense>
  )
}

const PlainText = ({ text }: { text: string }) => (
  <p className="whitespace-pre-wrap text-md leading-relaxed [overflow-wrap:anywhere]">{text}</p>
)

export const ReplySkeleton = () => (
  <div className="flex flex-col gap-2.5 py-1">
    <Skeleton className="h-3.5 w-11/12" />
    <Skeleton className="h-3.5 w-4/5" />
    <Skeleton className="h-3.5 w-3/5" />
  </div>
)

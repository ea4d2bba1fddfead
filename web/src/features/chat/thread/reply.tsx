/** One reply: running or finished, with everything that belongs to it. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { Star } from 'lucide-react'
import { memo, useMemo } from 'react'
import { cx } from '#ui/class-names.ts'
import { Time } from '#ui/values/time.tsx'
import {
  embedsOf,
  failureOf,
  filesOf,
  isPending,
  modelNameOf,
  reasoningOf,
  type Source,
  sourcesOf,
} from '../history/parts.ts'
import type { Column } from '../history/rows.ts'
import { codeRunsOf, statusLineOf, toolCallsOf } from '../history/steps.ts'
import { useReply } from '../live/reply-store.ts'
import { CodeRuns } from './code-runs.tsx'
import { EditForm } from './edit-form.tsx'
import { Embeds } from './embeds.tsx'
import { FileChips } from './file-chips.tsx'
import { Reasoning } from './reasoning.tsx'
import { ReplyActions, revealOnHover } from './reply-actions.tsx'
import { ReplyFailure, Stopped } from './reply-end.tsx'
import { ReplySkeleton, ReplyText } from './reply-text.tsx'
import { Sources } from './sources.tsx'
import { StatusHistory } from './status-history.tsx'
import { useThread } from './thread-context.ts'
import { ToolSteps } from './tool-steps.tsx'

interface ReplyProps {
  column: Column
  isLast: boolean
  isCompared: boolean
}

/** The running reply, or the stored one while that still has more text. */
function useWords(message: Message) {
  const live = useReply(message.id)
  const isRunning = isPending(message)
  const isAhead = live !== undefined && isRunning && live.content.length >= message.content.length
  const error = live?.error ?? message.error
  const sources = live && live.sources.length > 0 ? live.sources : message.sources
  return {
    isRunning: isRunning && failureOf(error) === undefined,
    text: isAhead ? live.content : message.content,
    reasoning: isAhead ? live.reasoning : reasoningOf(message),
    failure: failureOf(error),
    sources: useMemo(() => sourcesOf(sources), [sources]),
  }
}

export const Reply = memo(function Reply({ column, isLast, isCompared }: ReplyProps) {
  const { message } = column
  const { isRunning, text, reasoning, failure, sources } = useWords(message)
  const status = statusLineOf(message)
  const calls = toolCallsOf(message)
  // The last status says what is going on, so nothing stands in for the text.
  const isShown = status.current !== undefined || calls.some(({ output }) => output === undefined)
  // A reply with text isn't shown as in progress, even if its tool never reported its end.
  const isOver = !isRunning && text !== ''
  const name = modelNameOf(message)
  return (
    <article
      aria-label={`Reply by ${name}`}
      aria-busy={isRunning}
      className={cx(
        'group flex min-w-0 flex-col gap-3',
        isCompared && 'rounded-panel border bg-surface p-4',
        isCompared && column.isActive && 'border-seal/60',
      )}
    >
      <p className="flex items-baseline gap-2 text-sm">
        <span className="truncate font-medium text-soft">{name}</span>
        {message.favorite === true && (
          <Star role="img" aria-label="Favorite" className="size-3.5 self-center fill-current text-seal-text" />
        )}
        <span className={cx(revealOnHover, 'text-faint text-xs')}>
          <Time at={message.timestamp} />
        </span>
      </p>
      <Reasoning text={reasoning} isRunning={isRunning && text === ''} />
      <ToolSteps calls={calls} isRunning={isRunning} />
      <StatusHistory line={status} isOver={isOver} />
      <CodeRuns runs={codeRunsOf(message)} isRunning={isRunning} />
      <Body message={message} text={text} isRunning={isRunning} sources={sources} />
      {text === '' && isRunning && !isShown && reasoning === '' && <ReplySkeleton />}
      {message.stopped === true && !isRunning && <Stopped message={message} canContinue={isLast && text !== ''} />}
      {failure && <ReplyFailure message={message} failure={failure} />}
      <FileChips files={filesOf(message)} />
      <Embeds embeds={embedsOf(message)} />
      {!isRunning && <Sources sources={sources} />}
      {isRunning ? (
        <div className="h-6" />
      ) : (
        <ReplyActions column={column} text={text} isLast={isLast} isCompared={isCompared} />
      )}
    </article>
  )
})

interface BodyProps {
  message: Message
  text: string
  isRunning: boolean
  sources: readonly Source[]
}

/** The text, or the form that changes it. */
function Body({ message, text, isRunning, sources }: BodyProps) {
  const thread = useThread()
  if (thread?.editingId === message.id && !isRunning)
    return (
      <EditForm
        kind="reply"
        content={message.content}
        onCancel={() => thread.onEdit(undefined)}
        onSave={(content) => {
          thread.onEdit(undefined)
          void thread.editReply(message, content)
        }}
      />
    )
  return text === '' ? null : <ReplyText text={text} isRunning={isRunning} sources={sources} />
}

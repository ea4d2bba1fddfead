/** One reply: running or finished, with everything that belongs to it. */
import type { Message } from '@chancery/contract/chats.ts'
import { CircleAlert, Play, RotateCw } from 'lucide-react'
import { memo, useMemo } from 'react'
import { Button } from '#ui/button.tsx'
import { cx } from '#ui/class-names.ts'
import { Time } from '#ui/time.tsx'
import {
  embedsOf,
  type Failure,
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
import { modelOf, ReplyActions, revealOnHover } from './reply-actions.tsx'
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

/** What to show: the running reply, or the stored one while that still has more text. */
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
        <span className={cx(revealOnHover, 'text-faint text-xs')}>
          <Time at={message.timestamp} />
        </span>
      </p>
      <Reasoning text={reasoning} isRunning={isRunning && text === ''} />
      <ToolSteps calls={toolCallsOf(message)} isRunning={isRunning} />
      <StatusHistory line={status} isOver={isOver} />
      <CodeRuns runs={codeRunsOf(message)} isRunning={isRunning} />
      <Body message={message} text={text} isRunning={isRunning} sources={sources} />
      {text === '' && isRunning && !status.current && reasoning === '' && <ReplySkeleton />}
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

function Stopped({ message, canContinue }: { message: Message; canContinue: boolean }) {
  const thread = useThread()
  return (
    <p className="flex items-center gap-3 text-faint text-sm">
      Stopped
      {thread && canContinue && (
        <Button
          size="small"
          icon={Play}
          disabled={thread.isBusy}
          onClick={() => void thread.send('Continue exactly where you stopped.', [modelOf(message)])}
        >
          Continue
        </Button>
      )}
    </p>
  )
}

function ReplyFailure({ message, failure }: { message: Message; failure: Failure }) {
  const thread = useThread()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border border-bad/30 bg-bad-wash px-4 py-3">
      <CircleAlert aria-hidden className="size-4 shrink-0 text-bad" />
      <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {failure.content}
        {failure.code !== undefined && <span className="ml-2 font-mono text-soft text-xs">{failure.code}</span>}
      </p>
      {thread && message.parentId !== null && (
        <Button size="small" icon={RotateCw} onClick={() => thread.regenerate(message, modelOf(message))}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** The end of a reply that was stopped or failed, with a button to go on. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { CircleAlert, Play, RotateCw } from 'lucide-react'
import { Button } from '#ui/button/button.tsx'
import type { Failure } from '../history/parts.ts'
import { modelOf } from './reply-actions.tsx'
import { useThread } from './thread-context.ts'

export function Stopped({ message, canContinue }: { message: Message; canContinue: boolean }) {
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

export function ReplyFailure({ message, failure }: { message: Message; failure: Failure }) {
  const thread = useThread()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border border-bad/30 bg-bad-wash px-4 py-3">
      <CircleAlert aria-hidden className="size-4 shrink-0 text-bad" />
      <p className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        {failure.content}{' '}
        {failure.code !== undefined && <span className="inline-block font-mono text-soft text-xs">{failure.code}</span>}
      </p>
      {thread && message.parentId !== null && (
        <Button size="small" icon={RotateCw} onClick={() => thread.regenerate(message, modelOf(message))}>
          Try again
        </Button>
      )}
    </div>
  )
}

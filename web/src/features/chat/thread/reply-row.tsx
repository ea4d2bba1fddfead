/** The replies to one question: a single one, or several side by side. */
import { memo } from 'react'
import { followUpsOf, isPending } from '../history/parts.ts'
import type { ReplyRow as Row } from '../history/rows.ts'
import { Reply } from './reply.tsx'
import { useThread } from './thread-context.ts'

export const ReplyRow = memo(function ReplyRow({ row: { columns }, isLast }: { row: Row; isLast: boolean }) {
  const isCompared = columns.length > 1
  const active = columns.find((column) => column.isActive)?.message
  return (
    <>
      <div
        className={
          isCompared
            ? 'grid snap-x auto-cols-[minmax(min(22rem,85vw),1fr)] grid-flow-col gap-4 overflow-x-auto pb-2 *:snap-start'
            : undefined
        }
      >
        {columns.map((column) => (
          <Reply key={column.message.id} column={column} isLast={isLast} isCompared={isCompared} />
        ))}
      </div>
      {isLast && active && !isPending(active) && <FollowUps texts={followUpsOf(active)} />}
    </>
  )
})

function FollowUps({ texts }: { texts: readonly string[] }) {
  const thread = useThread()
  if (!thread || texts.length === 0) return null
  return (
    <ul aria-label="Suggested questions" className="mt-4 flex flex-col items-start gap-2">
      {texts.map((text) => (
        <li key={text}>
          <button
            type="button"
            onClick={() => void thread.send(text, thread.models)}
            className="animate-fade rounded-full border bg-surface px-4 py-1.5 text-left transition-colors duration-150 hover:bg-sunken"
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** One event in the list: time, type, process, source, what became of it, and the start of its payload. */
import type { ListedEvent } from '@chancery/contract/workflows/events.ts'
import { memo } from 'react'
import { briefText } from '#lib/text/json-summary.ts'
import { formatExact } from '#lib/time/times.ts'
import { HrefLink } from '#ui/button/href-link.tsx'
import { cx } from '#ui/class-names.ts'
import type { Tone } from '#ui/values/badge.tsx'
import { useOutcome } from './api.ts'
import { formatClock, outcomeLabel, sourceLabel } from './decision-labels.ts'

/** Shared by the list's header and its rows. */
export const rowGrid = cx(
  'grid grid-cols-[6.75rem_minmax(0,1fr)_7rem] items-center gap-x-4 px-4 sm:px-6',
  '@xl:grid-cols-[6.75rem_minmax(0,11rem)_minmax(0,6rem)_7rem_minmax(0,1fr)]',
  '@4xl:grid-cols-[6.75rem_minmax(0,14rem)_minmax(0,8rem)_minmax(0,11rem)_7rem_minmax(0,1fr)]',
)
/** Depends on the width of the list; an open event beside it takes some. */
export const whereRoomy = '@max-xl:hidden'
export const whereWide = '@max-4xl:hidden'

interface EventRowProps {
  event: ListedEvent
  href: string
  isOpen: boolean
}

export const EventRow = memo(function EventRow({ event, href, isOpen }: EventRowProps) {
  const at = new Date(event.published_at)
  return (
    <HrefLink
      href={href}
      aria-current={isOpen ? 'true' : undefined}
      className={cx(
        rowGrid,
        'h-9 border-b text-sm focus-visible:outline-offset-[-2px]',
        isOpen ? 'bg-sunken shadow-[inset_3px_0_0_var(--seal)]' : 'hover:bg-sunken',
      )}
    >
      <time dateTime={at.toISOString()} title={formatExact(at)} className="truncate font-mono text-faint text-xs">
        {formatClock(event.published_at)}
      </time>
      <span className="truncate font-medium font-mono">{event.event_type}</span>
      <span className={cx('truncate text-soft', whereRoomy)}>{sourceLabel(event.source)}</span>
      <span className={cx('truncate font-mono text-soft text-xs', whereWide)}>{event.correlation_id}</span>
      <Outcome eventId={event.event_id} />
      <span className={cx('truncate font-mono text-faint text-xs', whereRoomy)}>{briefText(event.payload)}</span>
    </HrefLink>
  )
})

const tones: Record<Tone, string> = {
  good: 'text-ok',
  bad: 'text-bad',
  warn: 'text-warn',
  plain: 'text-faint',
  seal: 'text-seal-text',
}

/** Empty until it is known. */
function Outcome({ eventId }: { eventId: string }) {
  const outcome = useOutcome(eventId)
  const { label, tone } = outcome ? outcomeLabel(outcome) : { label: '', tone: 'plain' as const }
  return (
    <span title={label} className={cx('truncate text-xs', tones[tone])}>
      {label}
    </span>
  )
}

/** Tests a filter on recent events while it is edited. */
import type { ListedEvent } from '@chancery/contract/workflows/events.ts'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#ui/class-names.ts'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Badge, type Tone } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import type { FilterTest, useFilterTest } from './api.ts'
import type { PathStep } from './filter-marks.ts'
import { PayloadFields } from './payload-fields.tsx'

interface ExpressionTesterProps {
  test: ReturnType<typeof useFilterTest>
  /** The events alone, shown while the expression has a mistake. */
  untried: FilterTest | undefined
  eventType: string
  /** Inserts a field of an event into the expression. */
  onInsert: (path: readonly PathStep[], value: unknown) => void
}

export function ExpressionTester(props: ExpressionTesterProps) {
  const { test } = props
  return (
    <section aria-label="Test on recent events" className="rounded-panel border">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 border-b px-3 py-2">
        <h3 className="font-medium text-sm">Test on recent events</h3>
        <p aria-live="polite" className="figures text-faint text-sm">
          {test.data && outcomeText(test.data)}
        </p>
      </header>
      <div
        aria-busy={test.isPlaceholderData}
        className={cx('max-h-72 overflow-y-auto', test.isPlaceholderData && 'opacity-60')}
      >
        <Results {...props} />
      </div>
    </section>
  )
}

function outcomeText({ error, results }: FilterTest): string {
  if (error) return 'Fix the expression to test it'
  if (results.length === 0) return ''
  const starting = results.filter(({ result }) => result === true).length
  return `${starting} of ${results.length} would start a run`
}

function Results({ test, untried, eventType, onInsert }: ExpressionTesterProps) {
  if (test.isPending)
    return (
      <Loading label="Testing">
        <div className="flex flex-col gap-3 p-3">
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-4 w-4/5" />
        </div>
      </Loading>
    )
  if (test.isError)
    return (
      <div className="p-3">
        <ErrorPanel error={test.error} onRetry={test.refetch} />
      </div>
    )
  const results = test.data.error ? (untried?.results ?? []).map(({ event }) => ({ event })) : test.data.results
  if (results.length === 0)
    return (
      <p className="px-3 py-4 text-faint text-sm">
        {eventType === ''
          ? 'No events yet. Publish one to test the filter on it.'
          : `No recent events of type ${eventType}.${test.data.error ? '' : ' The filter is valid but untested.'}`}
      </p>
    )
  return (
    <ul className="divide-y divide-line">
      {results.map((one) => (
        <Result key={one.event.event_id} {...one} onInsert={onInsert} />
      ))}
    </ul>
  )
}

interface ResultProps {
  event: ListedEvent
  /** Undefined if it wasn't tested. */
  result?: boolean | null
  error?: string | null
  onInsert: ExpressionTesterProps['onInsert']
}

const verdictOf = (result: boolean | null | undefined): { tone: Tone; word: string } => {
  if (result === undefined) return { tone: 'plain', word: '?' }
  if (result === null) return { tone: 'bad', word: 'Error' }
  return result ? { tone: 'good', word: 'True' } : { tone: 'plain', word: 'False' }
}

function Result({ event, result, error = null, onInsert }: ResultProps) {
  const [isOpen, setOpen] = useState(false)
  const { tone, word } = verdictOf(result)
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2.5 px-3 py-2 text-left text-sm hover:bg-sunken"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-3.5 shrink-0 text-faint transition-transform duration-150', isOpen && 'rotate-90')}
        />
        <span className="w-12 shrink-0">
          <Badge tone={tone}>{word}</Badge>
        </span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs">{event.event_type}</span>
        <span className="min-w-0 max-w-40 truncate text-faint max-sm:hidden">{event.correlation_id}</span>
        <span className="shrink-0 text-faint">
          <Time at={event.published_at / 1000} />
        </span>
      </button>
      {error !== null && <p className="px-3 pb-2 pl-9 text-bad text-sm">{error}</p>}
      {isOpen && (
        <div className="border-t bg-sunken px-3 py-2 pl-9">
          <PayloadFields value={event.payload} path={[]} onInsert={onInsert} />
        </div>
      )}
    </li>
  )
}

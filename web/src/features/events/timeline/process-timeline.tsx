/** The timeline of one process: its events, what each caused, and what the runs did. */
import { useMemo } from 'react'
import type { StreamState } from '#lib/http/follow-stream.ts'
import { counted } from '#lib/text/counted.ts'
import { formatDuration } from '#lib/time/durations.ts'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import type { EventLinks } from '../event-links.ts'
import { streamLabels } from '../line-state.tsx'
import { buildTimeline, type ProcessFacts, summarise } from './build-timeline.ts'
import { TimelineLine } from './timeline-row.tsx'
import { useProcess } from './use-process.ts'

export function ProcessTimeline({ correlationId, links }: { correlationId: string; links: EventLinks }) {
  const { query: process, line } = useProcess(correlationId)
  if (process.isPending) return <TimelineSkeleton />
  if (process.isError && process.data === undefined)
    return <ErrorPanel error={process.error} onRetry={process.refetch} />
  return (
    <ProcessView
      facts={process.data}
      hasMore={process.data.hasMore}
      line={line}
      correlationId={correlationId}
      links={links}
    />
  )
}

interface ProcessViewProps {
  facts: ProcessFacts
  hasMore: boolean
  line: StreamState
  correlationId: string
  links: EventLinks
}

function ProcessView({ facts, hasMore, line, correlationId, links }: ProcessViewProps) {
  const rows = useMemo(() => buildTimeline(facts), [facts])
  const summary = summarise(facts)
  if (rows.length === 0 || summary.beganAt === undefined)
    return (
      <div className="rounded-panel border bg-surface">
        <Empty title="Process not found" hint="None of your events or runs have this correlation ID." />
      </div>
    )
  return (
    <section aria-label="Timeline" className="rounded-panel border bg-surface">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-3 text-soft text-sm sm:px-6">
        <span className="flex min-w-0 items-center gap-1 font-mono text-ink">
          <span className="truncate">{correlationId}</span>
          <CopyButton text={correlationId} label="Copy correlation ID" />
        </span>
        <span>
          started <Time at={summary.beganAt / 1000} />
        </span>
        <span className="figures">{countOf(facts)}</span>
        {summary.isUnderWay ? (
          <Badge>Running</Badge>
        ) : (
          <span className="figures">{formatDuration(summary.tookMs)} total</span>
        )}
        {summary.failures > 0 && <Badge tone="bad">{summary.failures} failed</Badge>}
        <span role="status">{(line === 'lost' || line === 'refused') && streamLabels[line]}</span>
      </header>
      {hasMore && (
        <p className="border-b bg-warn-wash px-6 py-2 text-sm text-warn">
          Showing the latest 200 events and runs of this process.
        </p>
      )}
      <ol className="py-1.5">
        {rows.map((row) => (
          <TimelineLine key={row.key} row={row} beganAt={summary.beganAt ?? 0} links={links} />
        ))}
      </ol>
    </section>
  )
}

const countOf = ({ events, runs }: ProcessFacts) => `${counted(events.length, 'event')}, ${counted(runs.length, 'run')}`

const TimelineSkeleton = () => (
  <Loading label="Loading process">
    <div className="flex flex-col gap-4 rounded-panel border bg-surface p-6">
      {[0, 1, 2, 3, 1, 2].map((depth, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={row} className="flex gap-4">
          <Skeleton className="h-4 w-12" />
          <Skeleton className="h-4 w-1/2" />
          <span style={{ order: -1, width: depth * 16 }} />
        </div>
      ))}
    </div>
  </Loading>
)

/** Usage in totals, by day, and by model, person or key. The charts show the same numbers as the table. */
import type { UsageReport as Report } from '@chancery/contract/models/usage.ts'
import { Download } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { buttonLook } from '#ui/button/button.tsx'
import { Empty, ErrorPanel, Skeleton } from '#ui/feedback/states.tsx'
import { Segmented } from '#ui/form/choices.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { TableSkeleton } from '#ui/table/table.tsx'
import { csvAddress, type Grouping, type Scope, useReport } from './api.ts'
import type { DayRange } from './day-range.ts'
import { Legend } from './legend.tsx'
import type { Measure } from './plots.tsx'
import { Totals } from './totals.tsx'
import { UsageTable } from './usage-table.tsx'

const DayPlot = lazy(async () => ({ default: (await import('./plots.tsx')).DayPlot }))
const GroupPlot = lazy(async () => ({ default: (await import('./plots.tsx')).GroupPlot }))

export type Breakdown = Exclude<Grouping, 'day'>

interface UsageReportProps {
  scope: Scope
  range: DayRange
  measure: Measure
  by: Breakdown
  onMeasure: (measure: Measure) => void
  onBy: (by: Breakdown) => void
}

const measures = [
  { value: 'tokens', label: 'Tokens' },
  { value: 'requests', label: 'Requests' },
] as const

export function UsageReport({ scope, range, measure, by, onMeasure, onBy }: UsageReportProps) {
  const days = useReport({ scope, by: 'day', ...range })
  if (days.isError) return <ErrorPanel error={days.error} onRetry={days.refetch} />
  const pick = <Segmented legend="Measure" name="measure" value={measure} options={measures} onChange={onMeasure} />
  return (
    <>
      <Totals total={days.data?.total} />
      <Panel title={measure === 'tokens' ? 'Tokens by day' : 'Requests by day'} action={pick}>
        {days.data ? <Days report={days.data} measure={measure} /> : <Skeleton className="h-60" />}
      </Panel>
      <Groups scope={scope} range={range} measure={measure} by={by} onBy={onBy} />
    </>
  )
}

function Days({ report, measure }: { report: Report; measure: Measure }) {
  if (report.total.requests === 0) {
    return <Empty title="No usage" hint="No usage in this period. Chats and API calls are counted when they finish." />
  }
  return (
    <>
      <Suspense fallback={<Skeleton className="h-60" />}>
        <DayPlot rows={report.rows} measure={measure} />
      </Suspense>
      <Legend measure={measure} />
    </>
  )
}

const words: Record<Breakdown, string> = { model: 'Model', user: 'Person', key: 'API key' }
const maxBars = 8

const breakdownsOf = (scope: Scope): { value: Breakdown; label: string }[] => {
  const all: Breakdown[] = scope === 'own' ? ['model', 'key'] : ['model', 'user', 'key']
  return all.map((value) => ({ value, label: words[value] }))
}

type GroupsProps = Omit<UsageReportProps, 'onMeasure'>

function Groups({ scope, range, measure, by, onBy }: GroupsProps) {
  const report = useReport({ scope, by, ...range })
  const rows = report.data?.rows ?? []
  const actions = (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented legend="Group by" name="by" value={by} options={breakdownsOf(scope)} onChange={onBy} />
      <a href={csvAddress({ scope, by, ...range })} download className={buttonLook('plain')}>
        <Download aria-hidden className="size-4" /> CSV
      </a>
    </div>
  )
  return (
    <Panel title={`By ${words[by].toLowerCase().replace('api', 'API')}`} action={actions} isFlush>
      {report.isPending && (
        <>
          <Skeleton className="mx-5 mb-3 h-40" />
          <TableSkeleton columns={5} rows={4} />
        </>
      )}
      {report.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={report.error} onRetry={report.refetch} />
        </div>
      )}
      {report.isSuccess && rows.length === 0 && <Empty title="No usage" hint="No usage in this period." />}
      {rows.length > 0 && (
        <div aria-busy={report.isPlaceholderData} className={report.isPlaceholderData ? 'opacity-60' : undefined}>
          <div className="px-5 pb-3">
            <Suspense fallback={<Skeleton className="h-40" />}>
              <GroupPlot rows={rows.slice(0, maxBars)} measure={measure} />
            </Suspense>
          </div>
          <UsageTable head={words[by]} rows={rows} />
        </div>
      )}
    </Panel>
  )
}

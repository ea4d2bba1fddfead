/** A workflow's success rate, durations and cost over a period, as plots and as a table. */
import type { WorkflowStats } from '@chancery/contract/workflows/stats.ts'
import { lazy, Suspense } from 'react'
import { pointText } from '#lib/time/point-text.ts'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Segmented } from '#ui/form/choices.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { Table } from '#ui/table/table.tsx'
import { useStats } from './api.ts'
import { costText, durationText, rateText } from './stats-labels.ts'

const Plots = lazy(async () => ({ default: (await import('./stats-plots.tsx')).StatsPlots }))

const periods = [
  { value: 'day', label: '24 hours', days: 1 },
  { value: 'week', label: '7 days', days: 7 },
  { value: 'month', label: '30 days', days: 30 },
] as const
export type Period = (typeof periods)[number]['value']

export const periodOf = (text: string | undefined): Period =>
  periods.find(({ value }) => value === text)?.value ?? 'week'

interface StatsPanelProps {
  workflowId: string
  period: Period
  onPeriod: (period: Period) => void
}

export function StatsPanel({ workflowId, period, onPeriod }: StatsPanelProps) {
  const days = periods.find(({ value }) => value === period)?.days
  const stats = useStats(workflowId, days)
  return (
    <Panel
      title="Statistics"
      hint="Runs that ended in this period, without test runs. Durations are those of successful runs."
      action={<Segmented legend="Period" name="period" value={period} options={periods} onChange={onPeriod} />}
    >
      {stats.isPending && (
        <Loading label="Loading statistics">
          <Skeleton className="h-60" />
        </Loading>
      )}
      {stats.isError && stats.data === undefined && <ErrorPanel error={stats.error} onRetry={stats.refetch} />}
      {stats.data && <Content stats={stats.data} period={period} />}
    </Panel>
  )
}

function Content({ stats, period }: { stats: WorkflowStats; period: Period }) {
  const ended = stats.points.filter((point) => runsIn(point) > 0)
  if (ended.length === 0)
    return <Empty title="No runs in this period" hint="Choose a longer period, or run the workflow." />
  const { currency } = stats
  return (
    <div className="flex flex-col gap-6">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-5">
        <Figure label="Runs" value={runsIn(stats).toLocaleString('en')} />
        <Figure label="Success rate" value={rateText(stats.success_rate)} />
        <Figure label="Median duration" value={durationText(stats.p50_ms)} />
        <Figure label="95th percentile" value={durationText(stats.p95_ms)} />
        <Figure label="Cost" value={costText(stats.cost, currency)} />
      </dl>
      <Suspense fallback={<Skeleton className="h-60" />}>
        <Plots points={stats.points} currency={currency} period={period} />
      </Suspense>
      <Table
        label="Statistics by time"
        rows={ended.toReversed()}
        keyOf={({ at }) => String(at)}
        columns={[
          { head: 'Time', cell: ({ at }) => pointText(at, period) },
          { head: 'Runs', cell: (point) => runsIn(point) },
          { head: 'Failed', cell: ({ failed, timed_out }) => failed + timed_out },
          { head: 'Success rate', cell: ({ success_rate }) => rateText(success_rate) },
          { head: 'Median', cell: ({ p50_ms }) => durationText(p50_ms) },
          { head: '95th percentile', cell: ({ p95_ms }) => durationText(p95_ms) },
          { head: 'Cost', cell: ({ cost }) => costText(cost, currency) },
        ]}
      />
    </div>
  )
}

type Counted = Pick<WorkflowStats, 'succeeded' | 'failed' | 'timed_out' | 'cancelled'>

const runsIn = ({ succeeded, failed, timed_out, cancelled }: Counted): number =>
  succeeded + failed + timed_out + cancelled

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt className="text-faint text-sm">{label}</dt>
    <dd className="figures font-medium text-lg">{value}</dd>
  </div>
)

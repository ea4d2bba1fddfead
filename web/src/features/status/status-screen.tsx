/** The status page: totals, then plots by subject, each with its figures as a table. */
import type { Status } from '@chancery/contract/platform/status.ts'
import type { ReactNode } from 'react'
import { formatAmount } from '#lib/text/amounts.ts'
import { formatNumber, formatShort } from '#lib/text/numbers.ts'
import { cx } from '#ui/class-names.ts'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Segmented } from '#ui/form/choices.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { FigureGrid } from '#ui/values/figure-grid.tsx'
import { Time } from '#ui/values/time.tsx'
import { type Span, useStatus } from './api.ts'
import { databasePlots, modelPlots, type PlotOf, serverPlots, trafficPlots, workPlots } from './plot-list.ts'
import { shareText, totalOf } from './status-labels.ts'
import { StatusPlot } from './status-plot.tsx'
import { AtLimitTable, ConnectionsTable, QueuesTable } from './status-tables.tsx'

const spans = [
  { value: 'day', label: '24 hours' },
  { value: 'month', label: '30 days' },
] as const

interface StatusScreenProps {
  span: Span
  onSpan: (span: Span) => void
}

export function StatusScreen({ span, onSpan }: StatusScreenProps) {
  const status = useStatus(span)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented legend="Period" name="span" value={span} options={spans} onChange={onSpan} />
        {status.data && <Sampled status={status.data} span={span} />}
      </div>
      {status.isPending && <Shape />}
      {status.isError && status.data === undefined && <ErrorPanel error={status.error} onRetry={status.refetch} />}
      {status.data && <Content status={status.data} span={span} />}
    </>
  )
}

const Sampled = ({ status: { sampled_at }, span }: { status: Status; span: Span }) => (
  <p className="text-faint text-sm">
    {span === 'day' ? 'Every ten minutes' : 'Every six hours'}
    {sampled_at !== null && (
      <>
        {' '}
        · last sample <Time at={sampled_at} />
      </>
    )}
  </p>
)

const Shape = () => (
  <Loading label="Loading status">
    <div className="flex flex-col gap-6">
      <Skeleton className="h-22" />
      <Skeleton className="h-80" />
      <Skeleton className="h-80" />
    </div>
  </Loading>
)

function Content({ status, span }: { status: Status; span: Span }) {
  const { points, currency, connections, queues, at_limit: atLimit } = status
  if (points.every(({ minutes }) => minutes === 0))
    return (
      <Panel title="Status">
        <Empty title="No figures yet" hint="The first ones appear about a minute after the server has started." />
      </Panel>
    )
  const hasCost = points.some(({ cost }) => (cost ?? 0) > 0)
  const plots = (list: readonly PlotOf[]) => <Plots list={list} status={status} span={span} />
  return (
    <>
      <Totals status={status} hasCost={hasCost} />
      <Panel title="Requests" hint="Answered by the servers. Streamed answers count until their last byte.">
        {plots(trafficPlots)}
      </Panel>
      <Panel title="Models">
        {plots(modelPlots(currency, hasCost))}
        {connections.length > 0 && (
          <Behind title="By connection">
            <ConnectionsTable rows={connections} />
          </Behind>
        )}
      </Panel>
      <Panel title="Work in the background">
        {plots(workPlots)}
        {queues.length > 0 && (
          <Behind title="Jobs that waited longest">
            <QueuesTable rows={queues} />
          </Behind>
        )}
      </Panel>
      <Panel title="Servers and limits">
        {plots(serverPlots)}
        {atLimit.length > 0 && (
          <Behind title="At a limit">
            <AtLimitTable rows={atLimit} />
          </Behind>
        )}
      </Panel>
      <Panel title="Database and storage" hint={connectionsHint(status)}>
        {plots(databasePlots)}
      </Panel>
    </>
  )
}

const connectionsHint = ({ most_connections: most }: Status) =>
  most === null ? undefined : `PostgreSQL allows ${formatNumber(most)} connections.`

function Totals({ status: { points, currency }, hasCost }: { status: Status; hasCost: boolean }) {
  const requests = totalOf(points, (point) => point.requests) ?? 0
  const failed = totalOf(points, (point) => point.failed) ?? 0
  const tokens = totalOf(points, ({ prompt_tokens: input, completion_tokens: output }) =>
    input === null ? null : input + (output ?? 0),
  )
  const runs = totalOf(points, ({ succeeded_runs: succeeded, failed_runs: lost }) =>
    succeeded === null ? null : succeeded + (lost ?? 0),
  )
  return (
    <FigureGrid
      figures={[
        { label: 'Requests', value: formatShort(requests), exact: formatNumber(requests) },
        { label: 'Failed requests', value: shareText(failed, requests), exact: formatNumber(failed) },
        { label: 'Tokens', value: formatShort(tokens ?? 0), exact: formatNumber(tokens ?? 0) },
        hasCost
          ? { label: 'Cost', value: formatAmount(totalOf(points, ({ cost }) => cost) ?? 0, currency) }
          : { label: 'Workflow runs', value: formatShort(runs ?? 0), exact: formatNumber(runs ?? 0) },
      ]}
    />
  )
}

const Plots = ({ list, status, span }: { list: readonly PlotOf[]; status: Status; span: Span }) => (
  <div className={cx('grid gap-x-8 gap-y-6', list.length === 3 ? 'lg:grid-cols-3' : 'lg:grid-cols-2')}>
    {list.map((plot) => (
      <StatusPlot key={plot.title} plot={plot} points={status.points} span={span} />
    ))}
  </div>
)

/** A table below the plots, up to the panel's edges. */
const Behind = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="-mx-5 mt-6 -mb-5 border-t pt-3">
    <h3 className="px-5 pb-1 font-medium text-sm">{title}</h3>
    {children}
  </div>
)

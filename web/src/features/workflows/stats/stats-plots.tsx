/** The plots of statistics, in their own file because the chart library is larger than the rest of the page. */
import type { WorkflowStats } from '@chancery/contract/workflows/stats.ts'
import { pointText } from '#lib/time/point-text.ts'
import { type PlotSeries, TimePlot } from '#ui/plot/time-plot.tsx'
import { costText, durationText } from './stats-labels.ts'

type Point = WorkflowStats['points'][number]
type Series = PlotSeries<Point>

interface StatsPlotsProps {
  points: readonly Point[]
  currency: string
  period: string
}

const ended: readonly Series[] = [
  { name: 'Succeeded', colour: 'var(--plot-base)', of: ({ succeeded }) => succeeded },
  { name: 'Failed', colour: 'var(--bad)', of: ({ failed, timed_out }) => failed + timed_out },
  { name: 'Cancelled', colour: 'var(--faint)', of: ({ cancelled }) => cancelled },
]
const durations: readonly Series[] = [
  { name: 'Median', colour: 'var(--plot-base)', of: ({ p50_ms }) => p50_ms },
  { name: '95th percentile', colour: 'var(--plot-light)', of: ({ p95_ms }) => p95_ms },
]
const costs: readonly Series[] = [{ name: 'Cost', colour: 'var(--plot-base)', of: ({ cost }) => cost }]

export function StatsPlots({ points, currency, period }: StatsPlotsProps) {
  const timeText = (at: number) => pointText(at, period)
  const shared = { points, tickText: timeText, timeText }
  return (
    <div className="grid gap-6 lg:auto-cols-fr lg:grid-flow-col">
      <TimePlot {...shared} title="Runs" series={ended} format={String} isBars isCount />
      <TimePlot {...shared} title="Duration" series={durations} format={durationText} />
      {points.some(({ cost }) => cost !== null) && (
        <TimePlot {...shared} title="Cost" series={costs} format={(cost) => costText(cost, currency)} isBars />
      )}
    </div>
  )
}

/** The plots of statistics, in their own file because the chart library is larger than the rest of the page. */
import type { WorkflowStats } from '@chancery/contract/workflows/stats.ts'
import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { costText, durationText, pointText } from './stats-labels.ts'

type Point = WorkflowStats['points'][number]

interface StatsPlotsProps {
  points: readonly Point[]
  currency: string
  period: string
}

interface Series {
  name: string
  colour: string
  of: (point: Point) => number | null
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

/** Hidden from screen readers: the table below has the same figures. */
export const StatsPlots = ({ points, currency, period }: StatsPlotsProps) => (
  <div aria-hidden className="grid gap-6 lg:auto-cols-fr lg:grid-flow-col">
    <Plot title="Runs" series={ended} points={points} period={period} format={String} isBars isCount />
    <Plot title="Duration" series={durations} points={points} period={period} format={durationText} />
    {points.some(({ cost }) => cost !== null) && (
      <Plot
        title="Cost"
        series={costs}
        points={points}
        period={period}
        format={(cost) => costText(cost, currency)}
        isBars
      />
    )}
  </div>
)

interface PlotProps {
  title: string
  series: readonly Series[]
  points: readonly Point[]
  period: string
  format: (value: number) => string
  isBars?: boolean
  /** Its axis has whole numbers only. */
  isCount?: boolean
}

const axis = { stroke: 'none', tick: { fill: 'var(--faint)', fontSize: 12 }, tickLine: false } as const

function Plot({ title, series, points, period, format, isBars = false, isCount = false }: PlotProps) {
  const Chart = isBars ? BarChart : LineChart
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="font-medium text-sm">{title}</figcaption>
      <div className="h-44">
        <ResponsiveContainer width="100%" height="100%">
          <Chart
            data={[...points]}
            accessibilityLayer={false}
            margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
            barCategoryGap="20%"
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              {...axis}
              dataKey="at"
              tickFormatter={(at: number) => pointText(at, period)}
              minTickGap={28}
              tickMargin={8}
              // Room for a whole dot at either end; bars have their own.
              {...(!isBars && { padding: { left: 4, right: 4 } })}
            />
            <YAxis {...axis} width={76} tickFormatter={format} allowDecimals={!isCount} />
            <Tooltip
              isAnimationActive={false}
              labelFormatter={(at) => pointText(Number(at), period)}
              formatter={(value) => format(Number(value))}
              contentStyle={{ background: 'var(--raised)', border: '1px solid var(--line)' }}
            />
            {series.map(({ name, colour, of }) =>
              isBars ? (
                <Bar
                  key={name}
                  dataKey={of}
                  name={name}
                  stackId="all"
                  fill={colour}
                  maxBarSize={28}
                  isAnimationActive={false}
                />
              ) : (
                <Line
                  key={name}
                  dataKey={of}
                  name={name}
                  stroke={colour}
                  strokeWidth={2}
                  dot={{ r: 2 }}
                  connectNulls
                  isAnimationActive={false}
                />
              ),
            )}
          </Chart>
        </ResponsiveContainer>
      </div>
    </figure>
  )
}

/**
 * A plot over time. Import it lazily: the chart library is larger than most pages. Screen readers get nothing of it, so
 * there is a table with the same figures beside it.
 */
import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'

export interface PlotSeries<Point> {
  name: string
  colour: string
  /** Of a line, where there are more than colours. */
  isDashed?: boolean
  of: (point: Point) => number | null
}

export interface TimePlotProps<Point> {
  title: string
  series: readonly PlotSeries<Point>[]
  points: readonly Point[]
  /** A point's time, on the axis and in full. */
  tickText: (at: number) => string
  timeText: (at: number) => string
  format: (value: number) => string
  /** Bars are stacked. */
  isBars?: boolean
  /** Its axis has whole numbers only. */
  isCount?: boolean
  /** Lines stop where there is nothing, instead of going on to the next point. */
  hasGaps?: boolean
}

const axis = { stroke: 'none', tick: { fill: 'var(--faint)', fontSize: 12 }, tickLine: false } as const
/** More points than these are a line without dots, and bars without gaps. */
const mostDots = 40

export function TimePlot<Point extends { at: number }>(props: TimePlotProps<Point>) {
  const { title, series, points, tickText, timeText, format, isBars = false, isCount = false, hasGaps = false } = props
  const Chart = isBars ? BarChart : LineChart
  return (
    <figure aria-hidden className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="font-medium text-sm">{title}</span>
        {series.length > 1 && <Legend series={series} />}
      </figcaption>
      <div className="h-44">
        <ResponsiveContainer width="100%" height="100%">
          <Chart
            data={[...points]}
            accessibilityLayer={false}
            margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
            barCategoryGap={points.length > mostDots ? 0 : '20%'}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              {...axis}
              dataKey="at"
              tickFormatter={tickText}
              minTickGap={28}
              tickMargin={8}
              // Room for a whole dot at either end; bars have their own.
              {...(!isBars && { padding: { left: 4, right: 4 } })}
            />
            <YAxis {...axis} width={76} tickFormatter={format} allowDecimals={!isCount} />
            <Tooltip
              isAnimationActive={false}
              cursor={isBars ? { fill: 'var(--line)', opacity: 0.6 } : { stroke: 'var(--rule)' }}
              labelFormatter={(at) => timeText(Number(at))}
              formatter={(value) => format(Number(value))}
              contentStyle={{ background: 'var(--raised)', border: '1px solid var(--line)' }}
            />
            {series.map(({ name, colour, isDashed, of }) =>
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
                  {...(isDashed && { strokeDasharray: '2 4' })}
                  dot={points.filter((point) => of(point) !== null).length <= mostDots && { r: 2 }}
                  connectNulls={!hasGaps}
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

const Legend = ({ series }: { series: readonly Omit<PlotSeries<unknown>, 'of'>[] }) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-soft text-xs">
    {series.map(({ name, colour, isDashed }) => (
      <li key={name} className="flex items-center gap-1.5">
        {isDashed ? (
          <span className="w-3 border-t-2 border-dotted" style={{ borderColor: colour }} />
        ) : (
          <span className="size-2 rounded-[2px]" style={{ background: colour }} />
        )}
        {name}
      </li>
    ))}
  </ul>
)

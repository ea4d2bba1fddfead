/** The charts, in their own file because the chart library is larger than the rest of the page. */

import type { UsageRow } from '@chancery/contract/models/usage.ts'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatNumber, formatShort } from '#lib/text/numbers.ts'
import { dateLocale } from '#lib/time/date-locale.ts'
import { tokensOf } from './figures.ts'

export type Measure = 'tokens' | 'requests'

interface Series {
  name: string
  colour: string
  of: (row: UsageRow) => number
}

/** The same two colours in every chart: the large, normal part below and the notable part on top. */
export const seriesOf: Record<Measure, readonly Series[]> = {
  tokens: [
    { name: 'Input', colour: 'var(--plot-base)', of: ({ prompt_tokens }) => prompt_tokens },
    { name: 'Output', colour: 'var(--plot-light)', of: ({ completion_tokens }) => completion_tokens },
  ],
  requests: [
    { name: 'Succeeded', colour: 'var(--plot-base)', of: ({ requests, failures }) => requests - failures },
    { name: 'Failed', colour: 'var(--bad)', of: ({ failures }) => failures },
  ],
}

const axis = { stroke: 'none', tick: { fill: 'var(--faint)', fontSize: 12 }, tickLine: false } as const
const day = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const formatDay = (text: string) => day.format(new Date(text))

interface PlotProps {
  rows: readonly UsageRow[]
  measure: Measure
}

export function DayPlot({ rows, measure }: PlotProps) {
  return (
    <div aria-hidden className="h-60">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={[...rows]}
          accessibilityLayer={false}
          margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
          barCategoryGap="20%"
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis {...axis} dataKey="group" tickFormatter={formatDay} minTickGap={28} tickMargin={8} />
          <YAxis {...axis} width={48} tickFormatter={formatShort} allowDecimals={false} />
          <Tooltip
            cursor={{ fill: 'var(--line)', opacity: 0.6 }}
            isAnimationActive={false}
            content={(hover) => <Card row={rowOf(hover)} measure={measure} title={({ group }) => formatDay(group)} />}
          />
          {seriesOf[measure].map(({ name, colour, of }) => (
            <Bar
              key={name}
              dataKey={of}
              name={name}
              stackId="all"
              fill={colour}
              maxBarSize={28}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}

const rowHeight = 34
const longestLabel = 17
const shorten = (text: string) => (text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text)

/** Horizontal bars, because names are long. */
export function GroupPlot({ rows, measure }: PlotProps) {
  const names = new Map(rows.map(({ group, label }) => [group, label]))
  return (
    <div aria-hidden style={{ height: rows.length * rowHeight + 28 }}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={[...rows]}
          layout="vertical"
          accessibilityLayer={false}
          margin={{ top: 0, right: 12, bottom: 0, left: 0 }}
        >
          <CartesianGrid horizontal={false} stroke="var(--line)" />
          <XAxis {...axis} type="number" tickFormatter={formatShort} allowDecimals={false} />
          <YAxis
            {...axis}
            type="category"
            dataKey="group"
            width={128}
            tickFormatter={(group: string) => shorten(names.get(group) ?? group)}
          />
          <Tooltip
            cursor={{ fill: 'var(--line)', opacity: 0.6 }}
            isAnimationActive={false}
            content={(hover) => <Card row={rowOf(hover)} measure={measure} title={({ label }) => label} />}
          />
          {seriesOf[measure].map(({ name, colour, of }) => (
            <Bar
              key={name}
              dataKey={of}
              name={name}
              stackId="all"
              fill={colour}
              barSize={14}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}

interface Hover {
  active: boolean
  payload: readonly { payload?: unknown }[]
}

/** The tooltip. The library passes our row back without its type. */
const rowOf = ({ active, payload }: Hover) => (active ? (payload[0]?.payload as UsageRow | undefined) : undefined)

interface CardProps {
  row: UsageRow | undefined
  measure: Measure
  title: (row: UsageRow) => string
}

function Card({ row, measure, title }: CardProps) {
  if (row === undefined) return null
  const total = measure === 'tokens' ? tokensOf(row) : row.requests
  return (
    <div className="figures rounded-control bg-raised px-3 py-2 text-sm shadow-float">
      <p className="mb-1 font-medium">{title(row)}</p>
      {seriesOf[measure].map(({ name, colour, of }) => (
        <p key={name} className="flex items-center gap-2">
          <span className="size-2 rounded-[2px]" style={{ background: colour }} />
          <span className="flex-1 pr-4 text-soft">{name}</span>
          {formatNumber(of(row))}
        </p>
      ))}
      <p className="mt-1 flex justify-between gap-4 border-t pt-1">
        <span className="text-soft">Total</span>
        {formatNumber(total)}
      </p>
    </div>
  )
}

/** What is plotted, by panel. */
import type { StatusPoint } from '@chancery/contract/platform/status.ts'
import { formatAmount } from '#lib/text/amounts.ts'
import { formatBytes } from '#lib/text/bytes.ts'
import { formatShort } from '#lib/text/numbers.ts'
import { formatDuration } from '#lib/time/durations.ts'
import type { PlotSeries } from '#ui/plot/time-plot.tsx'
import { secondsText } from './status-labels.ts'

export interface PlotOf {
  title: string
  series: readonly PlotSeries<StatusPoint>[]
  format: (value: number) => string
  isBars?: boolean
  isCount?: boolean
}

const [base, light, bad, faint] = ['var(--plot-base)', 'var(--plot-light)', 'var(--bad)', 'var(--faint)']

const count = { format: formatShort, isBars: true, isCount: true } as const

/** What failed is counted in the whole as well. */
const without = (whole: number | null, ...parts: (number | null)[]): number | null =>
  whole === null
    ? null
    : Math.max(
        0,
        parts.reduce<number>((rest, part) => rest - (part ?? 0), whole),
      )

export const trafficPlots: readonly PlotOf[] = [
  {
    ...count,
    title: 'Requests',
    series: [
      { name: 'Succeeded', colour: base, of: ({ requests, refused, failed }) => without(requests, refused, failed) },
      { name: 'Refused (4xx)', colour: light, of: ({ refused }) => refused },
      { name: 'Failed (5xx)', colour: bad, of: ({ failed }) => failed },
    ],
  },
  {
    title: 'Time to answer',
    format: formatDuration,
    series: [
      { name: 'Median', colour: base, of: ({ p50_ms }) => p50_ms },
      { name: '95th percentile', colour: light, of: ({ p95_ms }) => p95_ms },
    ],
  },
]

export const modelPlots = (currency: string, hasCost: boolean): readonly PlotOf[] => [
  {
    ...count,
    title: 'Model calls',
    series: [
      {
        name: 'Succeeded',
        colour: base,
        of: ({ model_calls, failed_model_calls }) => without(model_calls, failed_model_calls),
      },
      { name: 'Failed', colour: bad, of: ({ failed_model_calls }) => failed_model_calls },
    ],
  },
  {
    ...count,
    title: 'Tokens',
    series: [
      { name: 'Input', colour: base, of: ({ prompt_tokens }) => prompt_tokens },
      { name: 'Output', colour: light, of: ({ completion_tokens }) => completion_tokens },
    ],
  },
  ...(hasCost
    ? [
        {
          title: 'Cost',
          isBars: true,
          format: (cost: number) => formatAmount(cost, currency),
          series: [{ name: 'Cost', colour: base, of: ({ cost }: StatusPoint) => cost }],
        },
      ]
    : []),
]

export const workPlots: readonly PlotOf[] = [
  {
    ...count,
    title: 'Workflow runs',
    series: [
      { name: 'Succeeded', colour: base, of: ({ succeeded_runs }) => succeeded_runs },
      { name: 'Failed', colour: bad, of: ({ failed_runs }) => failed_runs },
      { name: 'Cancelled', colour: faint, of: ({ cancelled_runs }) => cancelled_runs },
    ],
  },
  {
    title: 'Longest wait',
    format: secondsText,
    series: [
      { name: 'Jobs', colour: base, of: ({ oldest_job_sec }) => oldest_job_sec },
      { name: 'Runs', colour: light, of: ({ oldest_run_sec }) => oldest_run_sec },
      { name: 'Events', colour: base, isDashed: true, of: ({ oldest_event_sec }) => oldest_event_sec },
    ],
  },
  {
    ...count,
    title: 'Seals',
    series: [
      { name: 'Sealed', colour: base, of: ({ seals }) => seals },
      { name: 'Failed', colour: bad, of: ({ failed_seals }) => failed_seals },
    ],
  },
  {
    ...count,
    title: 'Emails',
    series: [
      { name: 'Sent', colour: base, of: ({ sent_mails }) => sent_mails },
      { name: 'Failed', colour: bad, of: ({ failed_mails }) => failed_mails },
    ],
  },
]

export const serverPlots: readonly PlotOf[] = [
  {
    title: 'Event loop delay, 99th percentile',
    format: formatDuration,
    series: [{ name: 'Delay', colour: base, of: ({ loop_p99_ms }) => loop_p99_ms }],
  },
  {
    ...count,
    title: 'Refused by a limit',
    series: [{ name: 'Refused', colour: base, of: ({ quota_refusals }) => quota_refusals }],
  },
]

export const databasePlots: readonly PlotOf[] = [
  {
    title: 'Database size',
    format: formatBytes,
    series: [{ name: 'Size', colour: base, of: ({ database_bytes }) => database_bytes }],
  },
  {
    title: 'Stored files and documents',
    format: formatBytes,
    series: [{ name: 'Stored', colour: base, of: ({ stored_bytes }) => stored_bytes }],
  },
  {
    title: 'Database connections',
    format: formatShort,
    isCount: true,
    series: [{ name: 'Open', colour: base, of: ({ database_connections }) => database_connections }],
  },
  {
    title: 'Longest statement',
    format: secondsText,
    series: [{ name: 'Running for', colour: base, of: ({ longest_statement_sec }) => longest_statement_sec }],
  },
]

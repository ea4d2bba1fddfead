/**
 * Which of the metrics the status page keeps, and under what name. A count grows while the process lives, so its growth is
 * kept and added up over processes and time; of a level, the largest value is. Pure.
 */
import type { Collected } from '#kernel/metrics/index.ts'

export type Figures = Record<string, number>

interface Sample {
  labels: Record<string, string | number>
  /** Of a histogram: what the value is. */
  part: 'bucket' | 'sum' | 'count'
}

type NameOf = (sample: Sample) => string | undefined

const bucketsAs =
  (name: string): NameOf =>
  ({ labels, part }) =>
    part === 'bucket' ? `${name} ${labels.le}` : undefined

const statusName: NameOf = ({ labels }) => {
  const status = Number(labels.status)
  return status >= 500 ? 'requests.failed' : status >= 400 ? 'requests.refused' : undefined
}

const sealNames: Readonly<Record<string, string>> = { completed: 'seals', dead: 'seals.failed', held: 'seals.failed' }

const countNames: Readonly<Record<string, readonly NameOf[]>> = {
  chancery_http_requests_total: [() => 'requests', statusName],
  chancery_http_request_duration_seconds: [bucketsAs('latency')],
  chancery_model_tokens_total: [({ labels }) => `tokens.${labels.kind}`],
  chancery_model_calls_total: [({ labels }) => `calls.${labels.outcome}`],
  chancery_model_cost_total: [() => 'cost'],
  chancery_provider_first_byte_seconds: [
    ({ labels, part }) => (part === 'bucket' ? undefined : `provider.${part} ${labels.connection}`),
  ],
  chancery_provider_failures_total: [({ labels }) => `provider.failures ${labels.connection}`],
  chancery_runs_ended_total: [({ labels }) => `runs.${labels.status}`],
  chancery_job_attempts_total: [
    ({ labels }) => (labels.job === 'signing.seal' ? sealNames[labels.outcome ?? ''] : undefined),
  ],
  chancery_mails_total: [({ labels }) => `mails.${labels.outcome}`],
  chancery_loop_late_seconds: [bucketsAs('late')],
  chancery_quota_refusals_total: [() => 'refusals'],
}

/** Read in the database, where every process would find the same. */
const levelNames: Readonly<Record<string, readonly NameOf[]>> = {
  chancery_job_queue_age_seconds: [({ labels }) => `queue ${labels.job}`],
  chancery_runs_oldest_due_seconds: [() => 'age.runs'],
  chancery_event_lag_seconds: [() => 'age.events'],
  chancery_database_bytes: [() => 'database.bytes'],
  chancery_database_connections: [({ labels }) => `database.${labels.state}`],
  chancery_database_longest_statement_seconds: [() => 'database.statement'],
  chancery_stored_bytes: [({ labels }) => `stored.${labels.kind}`],
}

export const countedMetrics = Object.keys(countNames)
export const sharedMetrics = Object.keys(levelNames)

const partOf = (metricName = ''): Sample['part'] =>
  metricName.endsWith('_bucket') ? 'bucket' : metricName.endsWith('_sum') ? 'sum' : 'count'

const named = (
  metrics: readonly Collected[],
  names: Readonly<Record<string, readonly NameOf[]>>,
  join: (one: number, other: number) => number,
): Figures => {
  const figures: Figures = {}
  for (const { name: metric, values } of metrics)
    for (const { labels, metricName, value } of values)
      for (const nameOf of names[metric] ?? []) {
        const name = nameOf({ labels, part: partOf(metricName) })
        if (name === undefined) continue
        const before = figures[name]
        figures[name] = before === undefined ? value : join(before, value)
      }
  return figures
}

export const countsIn = (metrics: readonly Collected[]): Figures =>
  named(metrics, countNames, (one, more) => one + more)
export const levelsIn = (metrics: readonly Collected[]): Figures => named(metrics, levelNames, Math.max)

/** What was added, also where that is nothing. A count that is smaller than before has begun anew. */
export const growthOf = (now: Figures, before: Figures): Figures =>
  Object.fromEntries(
    Object.entries(now).map(([name, value]) => {
      const earlier = before[name] ?? 0
      return [name, value < earlier ? value : value - earlier]
    }),
  )

/** Whom a quota refused, as counts. Anybody can be refused, so a sample has only those who were most often. */
export const refusalName = ({ quota, id }: { quota: string; id: string }): string => `${refusedPrefix}${quota} ${id}`
export const refusedPrefix = 'refused '
export const mostRefused = 20

export const topGrowth = (growth: Figures): Figures =>
  Object.fromEntries(
    Object.entries(growth)
      .filter(([, value]) => value > 0)
      .sort(([, one], [, other]) => other - one)
      .slice(0, mostRefused),
  )

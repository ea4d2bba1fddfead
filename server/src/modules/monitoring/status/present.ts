/** Samples as the status page shows them. Pure. */
import type { Status, StatusPoint } from '@chancery/contract/platform/status.ts'
import { unixSeconds } from '#kernel/clock.ts'
import { type Figures, refusedPrefix } from './measures.ts'
import { quantileOf } from './quantile.ts'
import type { Sample } from './queries.ts'

export const presentPoints = (periods: readonly Date[], samples: readonly Sample[]): StatusPoint[] => {
  const byTime = new Map(samples.map((sample) => [sample.at.getTime(), sample]))
  return periods.map((at) => presentPoint(at, byTime.get(at.getTime())))
}

const presentPoint = (at: Date, sample: Sample | undefined): StatusPoint => {
  const { minutes = 0, counts = {}, levels = {} } = sample ?? {}
  const sum = (...names: string[]) =>
    minutes === 0 ? null : names.reduce((total, name) => total + (counts[name] ?? 0), 0)
  const level = (name: string) => levels[name] ?? null
  const milliseconds = (name: string, share: number) => {
    const seconds = quantileOf(counts, name, share)
    return seconds === null ? null : seconds * 1000
  }
  const hasStored = 'stored.files' in levels
  return {
    at: unixSeconds(at),
    minutes,
    requests: sum('requests'),
    refused: sum('requests.refused'),
    failed: sum('requests.failed'),
    p50_ms: milliseconds('latency', 0.5),
    p95_ms: milliseconds('latency', 0.95),
    prompt_tokens: sum('tokens.prompt'),
    completion_tokens: sum('tokens.completion'),
    cost: sum('cost'),
    model_calls: sum('calls.answered', 'calls.failed'),
    failed_model_calls: sum('calls.failed'),
    succeeded_runs: sum('runs.succeeded'),
    failed_runs: sum('runs.failed', 'runs.timed_out'),
    cancelled_runs: sum('runs.cancelled'),
    seals: sum('seals'),
    failed_seals: sum('seals.failed'),
    sent_mails: sum('mails.sent'),
    failed_mails: sum('mails.failed'),
    // A queue in which nothing waits isn't in the metric.
    oldest_job_sec: 'age.events' in levels ? Math.max(0, ...withPrefix(levels, 'queue ').map(([, sec]) => sec)) : null,
    oldest_run_sec: level('age.runs'),
    oldest_event_sec: level('age.events'),
    loop_p99_ms: milliseconds('late', 0.99),
    database_bytes: level('database.bytes'),
    database_connections: level('database.used'),
    longest_statement_sec: level('database.statement'),
    stored_bytes: hasStored ? (levels['stored.files'] ?? 0) + (levels['stored.documents'] ?? 0) : null,
    quota_refusals: sum('refusals'),
  }
}

const withPrefix = (figures: Figures, prefix: string): [string, number][] =>
  Object.entries(figures).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
  )

const mostRows = 20
const totalOf = (
  samples: readonly Sample[],
  which: 'counts' | 'levels',
  join: (one: number, other: number) => number,
) => {
  const total: Figures = {}
  for (const sample of samples)
    for (const [name, value] of Object.entries(sample[which])) total[name] = join(total[name] ?? 0, value)
  return total
}

export const countsOf = (samples: readonly Sample[]): Figures => totalOf(samples, 'counts', (one, more) => one + more)
export const levelsOf = (samples: readonly Sample[]): Figures => totalOf(samples, 'levels', Math.max)

export const presentConnections = (counts: Figures): Status['connections'] => {
  const failures = new Map(withPrefix(counts, 'provider.failures '))
  const answers = new Map(withPrefix(counts, 'provider.count '))
  const seconds = new Map(withPrefix(counts, 'provider.sum '))
  return [...new Set([...failures.keys(), ...answers.keys()])]
    .map((name) => {
      const answered = answers.get(name) ?? 0
      const failed = failures.get(name) ?? 0
      const firstByte = answered === 0 ? null : ((seconds.get(name) ?? 0) / answered) * 1000
      return { name, calls: answered + failed, failures: failed, first_byte_ms: firstByte }
    })
    .filter(({ calls }) => calls > 0)
    .sort((one, other) => other.calls - one.calls)
    .slice(0, mostRows)
}

export const presentQueues = (levels: Figures): Status['queues'] =>
  withPrefix(levels, 'queue ')
    .map(([job, sec]) => ({ job, longest_wait_sec: Math.max(0, sec) }))
    .sort((one, other) => other.longest_wait_sec - one.longest_wait_sec)
    .slice(0, mostRows)

export const refusedIn = (counts: Figures): { quota: string; id: string; times: number }[] =>
  withPrefix(counts, refusedPrefix)
    .map(([name, times]) => {
      const [quota = '', id = ''] = name.split(' ')
      return { quota, id, times }
    })
    .sort((one, other) => other.times - one.times)
    .slice(0, mostRows)

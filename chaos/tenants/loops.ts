/** How busy a node was, from two readings of its `/metrics`: tells a victim that was held up from a busy machine. Pure. */

type Values = ReadonlyMap<string, number>

export interface Reading {
  metrics: Values
  loop: LoopTime
}

/** Of the thread that everybody shares, in milliseconds since it began: at work, and ready to work but without a core. */
export interface LoopTime {
  ranMs: number
  waitedMs: number
}

/** `/proc/<pid>/schedstat` of Linux. */
export const parseSchedstat = (text: string): LoopTime => {
  const [ran = 0, waited = 0] = text.split(' ').map(Number)
  return { ranMs: ran / 1e6, waitedMs: waited / 1e6 }
}

/** By the name with its labels, as it is written. */
export const parseMetrics = (text: string): Values =>
  new Map(
    text.split('\n').flatMap((line): [string, number][] => {
      const end = line.lastIndexOf(' ')
      return line.startsWith('#') || end < 0 ? [] : [[line.slice(0, end), Number(line.slice(end + 1))]]
    }),
  )

export interface Busy {
  /** Upper bounds of how late the event loop came to its timer, in milliseconds. */
  lateP99Ms: number
  lateWorstMs: number
  /** Blocks of more than 200 ms by what ran. */
  blocks: Record<string, number>
  /** Of one core, by the whole process with its threads. */
  cores: number
  /** The share of the time in which the event loop worked. */
  ran: number
  /** The share in which it would have worked, had there been a core: a busy machine, not a busy loop. */
  waited: number
  hasRestarted: boolean
}

const label = (name: string, of: string): string => new RegExp(`${of}="([^"]*)"`).exec(name)?.[1] ?? ''

/** `seconds` passed between the two. */
export const compareReadings = (before: Reading, after: Reading, seconds: number): Busy => {
  const since = (name: string): number => (after.metrics.get(name) ?? 0) - (before.metrics.get(name) ?? 0)
  const named = (start: string): string[] => [...after.metrics.keys()].filter((name) => name.startsWith(start))
  const buckets = named('chancery_loop_late_seconds_bucket')
    .map((name) => ({ ms: Number(label(name, 'le').replace('+Inf', 'Infinity')) * 1000, count: since(name) }))
    .sort((one, other) => one.ms - other.ms)
  const total = buckets.at(-1)?.count ?? 0
  const boundOf = (count: number): number => buckets.find((bucket) => bucket.count >= count)?.ms ?? 0
  const blocks = named('chancery_loop_blocks_total').flatMap((name): [string, number][] =>
    since(name) > 0 ? [[label(name, 'what'), since(name)]] : [],
  )
  return {
    lateP99Ms: boundOf(total * 0.99),
    lateWorstMs: boundOf(total),
    blocks: Object.fromEntries(blocks),
    cores: since('process_cpu_seconds_total') / seconds,
    ran: (after.loop.ranMs - before.loop.ranMs) / 1000 / seconds,
    waited: (after.loop.waitedMs - before.loop.waitedMs) / 1000 / seconds,
    hasRestarted: since('process_start_time_seconds') !== 0,
  }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

export const describeBusy = ({ lateP99Ms, lateWorstMs, blocks, cores, ran, waited, hasRestarted }: Busy): string => {
  const blocked = Object.entries(blocks).map(([what, count]) => `${what} ×${count}`)
  return [
    `late p99 ≤ ${lateP99Ms} ms, worst ≤ ${lateWorstMs} ms`,
    `loop at work ${percent(ran)}, without a core ${percent(waited)}`,
    `${cores.toFixed(2)} cores in all`,
    blocked.length === 0 ? 'no block' : `blocks: ${blocked.join(', ')}`,
    ...(hasRestarted ? ['RESTARTED'] : []),
  ].join('; ')
}

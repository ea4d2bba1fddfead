/**
 * Counters, gauges and histograms that cost an addition each. prom-client's own take 1.4 to 2.4 µs per observation,
 * which is some percent of a whole request, so it only collects these and writes the text.
 */

export type LabelValues = readonly (string | number)[]

interface Sample {
  labels: Record<string, string | number>
  value: number
  /** For histograms: the name with its suffix. */
  metricName?: string
}

/** Asked for by prom-client's registry. */
export interface Collected {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  values: Sample[]
  /** How the values of a machine's servers become one. */
  aggregator: 'sum' | 'max'
}

export interface Collectable {
  name: string
  get(): Promise<Collected>
}

interface Family<Series> {
  /** The series of these label values, made at the first call. Keep it where it is used often. */
  of(...values: LabelValues): Series
}

interface Description {
  /** `chancery_…`, with its unit: `_total`, `_seconds`, `_bytes`. */
  name: string
  help: string
  labels?: readonly string[]
}

export interface CounterSeries {
  value: number
  add(amount?: number): void
}

export type Counter = Family<CounterSeries>
export type Histogram = Family<{ observe(value: number): void }>

/** Series by their label values; the values are few and fixed, never what a user typed. */
const createFamily = <Series>(labels: readonly string[], make: () => Series) => {
  const all = new Map<string, { labels: Record<string, string | number>; series: Series }>()
  const of = (...values: LabelValues): Series => {
    const key = values.join('\n')
    const known = all.get(key)
    if (known) return known.series
    const series = make()
    all.set(key, { labels: Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])), series })
    return series
  }
  return { of, all }
}

export const createCounter = ({ name, help, labels = [] }: Description): Counter & Collectable => {
  const { of, all } = createFamily<CounterSeries>(labels, () => ({
    value: 0,
    add(amount = 1) {
      this.value += amount
    },
  }))
  const get = async (): Promise<Collected> => {
    const values = [...all.values()].map((entry) => ({ labels: entry.labels, value: entry.series.value }))
    return { name, help, type: 'counter', values, aggregator: 'sum' }
  }
  return { name, of, get }
}

export interface GaugeDescription extends Description {
  /** It describes what all servers share, such as the database: it is the same in each and not to be added up. */
  isShared?: boolean
  /** Asked at each scrape: one number, or one for each list of label values. What throws is left out of the scrape. */
  read(): number | readonly [LabelValues, number][] | Promise<number | readonly [LabelValues, number][]>
}

export const createGauge = ({ name, help, labels = [], isShared = false, read }: GaugeDescription): Collectable => ({
  name,
  get: async () => {
    const found = await read()
    const list = typeof found === 'number' ? [[[], found] as const] : found
    const values = list.map(([given, value]) => ({
      labels: Object.fromEntries(labels.map((label, at) => [label, given[at] ?? ''])),
      value,
    }))
    return { name, help, type: 'gauge', values, aggregator: isShared ? 'max' : 'sum' }
  },
})

export interface HistogramDescription extends Description {
  /** Upper bounds, rising. */
  buckets: readonly number[]
}

interface HistogramSeries {
  /** The count of each bucket alone; the last holds what is above all bounds. */
  counts: number[]
  sum: number
  observe(value: number): void
}

export const createHistogram = (description: HistogramDescription): Histogram & Collectable => {
  const { name, help, labels = [], buckets } = description
  const { of, all } = createFamily<HistogramSeries>(labels, () => ({
    counts: new Array<number>(buckets.length + 1).fill(0),
    sum: 0,
    observe(value) {
      let at = 0
      while (at < buckets.length && value > (buckets[at] as number)) at += 1
      this.counts[at] = (this.counts[at] as number) + 1
      this.sum += value
    },
  }))
  const samplesOf = (given: Sample['labels'], { counts, sum }: HistogramSeries): Sample[] => {
    let total = 0
    const cumulative = counts.map((count, at) => {
      total += count
      return { metricName: `${name}_bucket`, labels: { ...given, le: buckets[at] ?? '+Inf' }, value: total }
    })
    return [
      ...cumulative,
      { metricName: `${name}_sum`, labels: given, value: sum },
      { metricName: `${name}_count`, labels: given, value: total },
    ]
  }
  const get = async (): Promise<Collected> => {
    const values = [...all.values()].flatMap((entry) => samplesOf(entry.labels, entry.series))
    return { name, help, type: 'histogram', values, aggregator: 'sum' }
  }
  return { name, of, get }
}

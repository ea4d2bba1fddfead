/** The server's metrics: modules register their instruments here, `/metrics` shows them all. */
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { endsWithin } from '#kernel/ends-within.ts'
import type { Log } from '#kernel/log.ts'
import type { Siblings } from '#kernel/process/machine.ts'
import {
  type Collectable,
  type Collected,
  type Counter,
  createCounter,
  createGauge,
  createHistogram,
  type GaugeDescription,
  type Histogram,
  type HistogramDescription,
} from './instruments.ts'
import { joinReadings, type Reading } from './machine-readings.ts'

/** Upper bounds in seconds, from what a cached answer takes to what a slow model takes. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

export interface Metrics {
  counter(description: { name: string; help: string; labels?: readonly string[] }): Counter
  /** Read at each scrape only. */
  gauge(description: GaugeDescription): void
  histogram(description: Omit<HistogramDescription, 'buckets'> & { buckets?: readonly number[] }): Histogram
  /** The exposition format of Prometheus, for all servers of this machine. */
  write(): Promise<{ contentType: string; text: string }>
  /** The instruments of these names as they stand in this process. One that can't be read has no values. */
  read(names: readonly string[]): Promise<Collected[]>
}

/** A gauge that asks a database must not hold up the scrape, least of all when the database is what is wrong. */
const patienceMs = 2_000
/** What a server asks the others of its machine for. */
const question = 'metrics'
/** The time between samples of the event loop's delay, from the first scrape on. */
const loopSamplingMs = 20

export const createMetrics = (log: Log, siblings?: Pick<Siblings, 'askOthers' | 'answerOthers'>): Metrics => {
  const registry = new Registry()
  let isScraped = false

  const register = (instrument: Collectable): void => {
    const get = async (): Promise<Omit<Collected, 'values'> & Partial<Collected>> => {
      const reading = instrument.get()
      try {
        if (await endsWithin(reading, patienceMs)) return await reading
        throw new Error('It took too long.')
      } catch (problem) {
        reading.catch(() => undefined)
        log.warn({ metric: instrument.name, err: problem }, 'A metric could not be read.')
        return { name: instrument.name, help: 'could not be read', type: 'gauge', values: [], aggregator: 'sum' }
      }
    }
    registry.registerMetric({ name: instrument.name, get } as unknown as Metric)
  }
  const registered = <Instrument extends Collectable>(instrument: Instrument): Instrument => {
    register(instrument)
    return instrument
  }

  const sampled = (): Registry => {
    // They sample on timers, which a server that nobody scrapes does not need.
    if (!isScraped) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopSamplingMs })
    isScraped = true
    return registry
  }
  const readHere = async (): Promise<Reading> => (await sampled().getMetricsAsJSON()) as unknown as Reading
  siblings?.answerOthers(question, async () => JSON.stringify(await readHere()))

  return {
    counter: (description) => registered(createCounter(description)),
    gauge: (description) => register(createGauge(description)),
    histogram: (description) => registered(createHistogram({ buckets: durationBuckets, ...description })),
    write: async () => {
      if (!siblings) return { contentType: registry.contentType, text: await sampled().metrics() }
      const [here, others] = await Promise.all([readHere(), siblings.askOthers(question)])
      return { contentType: registry.contentType, text: await joinReadings(here, others).metrics() }
    },
    read: (names) => {
      const known = names.flatMap((name) => registry.getSingleMetric(name) ?? [])
      return Promise.all(known.map(async (metric) => (await metric.get()) as unknown as Collected))
    },
  }
}

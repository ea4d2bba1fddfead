/** The metrics of all servers of a machine as those of one, so that a scrape is the same whichever of them answers it. */
import { AggregatorRegistry, type Metric, type Registry } from 'prom-client'
import { parseOwn } from '#kernel/json/parse-own.ts'
import type { Collected } from './instruments.ts'

export type Reading = Collected[]

/** `others` as JSON; undefined for each that didn't answer in time. */
export const joinReadings = (here: Reading, others: readonly (string | undefined)[]): Pick<Registry, 'metrics'> => {
  const there = others.flatMap((text) => (text === undefined ? [] : [parseOwn(text) as Reading]))
  // One that a server couldn't read says nothing about how to join it.
  const readings = [here, ...there].map((reading) => reading.filter(({ values }) => values.length > 0))
  const joined = AggregatorRegistry.aggregate(readings)
  const states = { answering: readings.length, missing: others.length - there.length }
  const servers: Collected = {
    name: 'chancery_processes',
    help: 'Servers of this machine: those whose numbers are here, and those that did not answer in time.',
    type: 'gauge',
    values: Object.entries(states).map(([state, value]) => ({ labels: { state }, value })),
    aggregator: 'sum',
  }
  joined.registerMetric({ name: servers.name, get: async () => servers } as unknown as Metric)
  return joined
}

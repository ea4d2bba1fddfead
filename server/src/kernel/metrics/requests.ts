/**
 * Counts every answered request by area and status, and how long it took. Node's own channel tells of the end: a
 * Fastify hook there costs two listeners and a closure for every request.
 */
import { channel } from 'node:diagnostics_channel'
import type { Server, ServerResponse } from 'node:http'
import { areaOf } from './area.ts'
import type { CounterSeries, Histogram } from './instruments.ts'
import type { Metrics } from './metrics.ts'

/** In seconds. */
const requestBuckets = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]

const ended = channel('http.server.response.finish')
const mark = Symbol('metrics')

interface Marked extends ServerResponse {
  [mark]?: { startedAt: number; end(startedAt: number, status: number): void }
}

/** Called when a request has found its route. */
export type MarkStart = (response: ServerResponse) => void

export interface RequestCounts {
  /** One function for each route. */
  of(route: { method: string; path: string }): MarkStart
  /** Counts what this server answers until it closes; what no route answered counts as area `none`. */
  watch(server: Server): void
}

export const createRequestCounts = (metrics: Pick<Metrics, 'counter' | 'histogram'>): RequestCounts => {
  const requests = metrics.counter({
    name: 'chancery_http_requests_total',
    help: 'Requests that were answered to the last byte.',
    labels: ['method', 'area', 'status'],
  })
  const durations = metrics.histogram({
    name: 'chancery_http_request_duration_seconds',
    help: 'From the request to the last byte of the answer.',
    labels: ['area'],
    buckets: requestBuckets,
  })
  return {
    of: ({ method, path }) => {
      const area = areaOf(path)
      let duration: ReturnType<Histogram['of']> | undefined
      const byStatus = new Map<number, CounterSeries>()
      const end = (startedAt: number, status: number): void => {
        let counted = byStatus.get(status)
        if (!counted) {
          counted = requests.of(method, area, status)
          byStatus.set(status, counted)
        }
        counted.value += 1
        duration ??= durations.of(area)
        duration.observe((performance.now() - startedAt) / 1000)
      }
      return (response) => {
        const marked: Marked = response
        marked[mark] = { startedAt: performance.now(), end }
      }
    },
    watch: (server) => {
      const onEnd = (message: unknown): void => {
        const {
          response,
          request,
          server: which,
        } = message as {
          response: Marked
          request: { method: string }
          server: Server
        }
        if (which !== server) return
        const known = response[mark]
        if (known) known.end(known.startedAt, response.statusCode)
        else requests.of(request.method, 'none', response.statusCode).value += 1
      }
      ended.subscribe(onEnd)
      server.once('close', () => ended.unsubscribe(onEnd))
    },
  }
}

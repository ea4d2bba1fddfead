/**
 * Sends spans to the collector, a batch at a time. What it may take in memory is bounded: while the collector is slow,
 * silent or away, further spans are dropped and counted, and nobody waits.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { endsWithin } from '../ends-within.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/index.ts'
import { hostPortOf, type Outbound } from '../outbound/index.ts'
import { inSpan, type Span, type SpanSink } from '../spans/span.ts'
import { writeSpans } from './otlp.ts'

const compress = promisify(gzip)

export interface ExporterSettings {
  /** Of the traces, path included. */
  url: string
  headers: Readonly<Record<string, string>>
  timeoutMs: number
  isCompressed: boolean
  resource: ReadonlyMap<string, string>
  /** Spans that may wait. */
  maxQueued: number
  /** The longest that a span waits for others. */
  delayMs: number
}

interface Needs {
  outbound: Pick<Outbound, 'fetch'>
  log: Log
  metrics: Pick<Metrics, 'counter' | 'gauge'>
}

export interface Exporter {
  take: SpanSink
  /** Sends what waits, for as long as this. */
  stop(withinMs: number): Promise<void>
}

const maxBatch = 512
/** Between tries of one batch. After the last one it is dropped. */
const pausesMs = [1000, 2000, 4000]
const canComeLater = new Set([408, 429, 502, 503, 504])
const warnEveryMs = 60_000

export const createExporter = ({ outbound, log, metrics }: Needs, settings: ExporterSettings): Exporter => {
  const counted = metrics.counter({
    name: 'chancery_trace_spans_total',
    help: 'Spans by what became of them: sent, refused by the collector, or dropped because it was away or slow.',
    labels: ['outcome'],
  })
  const [sent, refused, dropped] = ['sent', 'refused', 'dropped'].map((outcome) => counted.of(outcome))
  let queue: Span[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let warnedAtMs = Number.NEGATIVE_INFINITY
  const stopping = new AbortController()
  metrics.gauge({ name: 'chancery_trace_spans_waiting', help: 'Spans that wait to be sent.', read: () => queue.length })

  const warn = (facts: object): void => {
    if (performance.now() - warnedAtMs < warnEveryMs) return
    warnedAtMs = performance.now()
    log.warn(facts, 'Spans could not be sent to the collector. It is said once a minute.')
  }

  /** False where another try may help. */
  const trySend = async (batch: readonly Span[], body: Buffer): Promise<boolean> => {
    try {
      const reply = await outbound.fetch(settings.url, {
        method: 'POST',
        headers: {
          ...settings.headers,
          'content-type': 'application/json',
          ...(settings.isCompressed && { 'content-encoding': 'gzip' }),
        },
        body,
        trusted: hostPortOf(settings.url),
        maxRedirects: 0,
        firstByteMs: settings.timeoutMs,
        totalMs: settings.timeoutMs,
        maxBytes: 65_536,
      })
      reply.discard()
      const isTaken = reply.status >= 200 && reply.status < 300
      if (isTaken) sent?.add(batch.length)
      else warn({ status: reply.status })
      if (isTaken || canComeLater.has(reply.status)) return isTaken
      refused?.add(batch.length)
      return true
    } catch (problem) {
      warn({ err: problem })
      return false
    }
  }

  const sendBatch = async (batch: readonly Span[]): Promise<void> => {
    const text = writeSpans(batch, settings.resource)
    const body = settings.isCompressed ? await compress(text) : Buffer.from(text)
    for (const pauseMs of [...pausesMs, undefined]) {
      if (await trySend(batch, body)) return
      if (pauseMs === undefined || stopping.signal.aborted) break
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
    dropped?.add(batch.length)
  }

  const sendAll = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch)
      queue = queue.slice(maxBatch)
      await sendBatch(batch)
    }
  }

  const send = (): void => {
    clearTimeout(timer)
    timer = undefined
    // Outside of the span that filled the batch: sending it is no part of that.
    sending ??= inSpan(undefined, sendAll)
      .catch((problem: unknown) => log.error({ err: problem }, 'Spans could not be written.'))
      .finally(() => {
        sending = undefined
      })
  }

  return {
    take: (span) => {
      if (queue.length >= settings.maxQueued) {
        dropped?.add(1)
        return
      }
      queue.push(span)
      if (queue.length >= maxBatch) send()
      else if (!sending) timer ??= setTimeout(send, settings.delayMs).unref()
    },
    async stop(withinMs) {
      // Each batch has one more try.
      stopping.abort()
      send()
      await endsWithin(sending ?? Promise.resolve(), withinMs)
    },
  }
}

/**
 * Where traces begin: at a request, a job, a run. Off unless a collector is set, and then nothing of them is loaded and
 * `begin` returns undefined. See README.md.
 */
import { randomUUID } from 'node:crypto'
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/index.ts'
import type { Outbound } from '../outbound/index.ts'
import { newSpanId, newTraceId, Span, type SpanKind } from '../spans/span.ts'
import type { TraceContext } from '../spans/trace-context.ts'
import type { ExporterSettings } from './exporter.ts'
import { createSampler } from './sampler.ts'

export interface Beginning {
  kind: SpanKind
  /** What it is a part of, elsewhere. */
  parent?: TraceContext | undefined
  /** Where others know the trace and the span without being told: made from an id (`traceIdOf`, `spanIdOf`). */
  traceId?: string | undefined
  spanId?: string | undefined
  parentSpanId?: string | undefined
  startedAtMs?: number
}

export interface Traces {
  readonly isOn: boolean
  begin(name: string, beginning: Beginning): Span | undefined
  /** Sends what waits, for a short while. */
  stop(): Promise<void>
}

interface Needs {
  config: Config
  secrets: Pick<Secrets, 'SVC_SECRET_KEY'>
  outbound: Pick<Outbound, 'fetch'>
  log: Log
  metrics: Pick<Metrics, 'counter' | 'gauge'>
}

/** A collector that doesn't answer must not hold up a stop. */
const stopMs = 2000

export const noTraces: Traces = { isOn: false, begin: () => undefined, stop: async () => undefined }

export const createTraces = async ({ config, secrets, ...needs }: Needs): Promise<Traces> => {
  const url = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? tracesAt(config.OTEL_EXPORTER_OTLP_ENDPOINT)
  if (url === undefined || config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === 'none') return noTraces
  const { createExporter } = await import('./exporter.ts')
  const exporter = createExporter(needs, settingsOf(config, url))
  const sample = createSampler({
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    secret: secrets.SVC_SECRET_KEY,
  })
  return {
    isOn: true,
    begin: (name, { kind, parent, traceId = parent?.traceId ?? newTraceId(), ...given }) => {
      const isSampled = sample(traceId, parent)
      return new Span({
        name,
        kind,
        context: { traceId, spanId: given.spanId ?? newSpanId(), isSampled },
        parentSpanId: parent?.spanId ?? given.parentSpanId,
        sink: isSampled ? exporter.take : undefined,
        startedAtMs: given.startedAtMs,
      })
    },
    stop: () => exporter.stop(stopMs),
  }
}

const tracesAt = (endpoint: string | undefined): string | undefined =>
  endpoint && `${endpoint.replace(/\/+$/, '')}/v1/traces`

const settingsOf = (config: Config, url: string): ExporterSettings => ({
  url,
  headers: Object.fromEntries(config.OTEL_EXPORTER_OTLP_HEADERS),
  timeoutMs: config.OTEL_EXPORTER_OTLP_TIMEOUT,
  isCompressed: config.OTEL_EXPORTER_OTLP_COMPRESSION === 'gzip',
  maxQueued: config.OTEL_BSP_MAX_QUEUE_SIZE,
  delayMs: config.OTEL_BSP_SCHEDULE_DELAY,
  resource: new Map([
    ['service.name', config.OTEL_SERVICE_NAME ?? 'chancery'],
    ['service.instance.id', randomUUID()],
    ...config.OTEL_RESOURCE_ATTRIBUTES,
  ]),
})

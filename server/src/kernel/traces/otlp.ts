/** Spans as OTLP 1 writes them in JSON. */
import { type Span, spanKinds } from '../spans/span.ts'

type Value = string | number | boolean | readonly string[]

const writtenValue = (value: Value): object => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map(writtenValue) } }
}

const attributesOf = (all: Iterable<readonly [string, Value]>): object[] =>
  Array.from(all, ([key, value]) => ({ key, value: writtenValue(value) }))

/** Microseconds are as fine as our clock is; a number of nanoseconds would lose digits. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`

const flagSampled = 1
const failed = 2

const written = (span: Span): object => ({
  traceId: span.context.traceId,
  spanId: span.context.spanId,
  ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
  flags: flagSampled,
  name: span.name,
  kind: spanKinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startedAtMs),
  endTimeUnixNano: nanoseconds(span.endedAtMs),
  attributes: attributesOf(
    span.errorType === undefined ? span.attributes : [...span.attributes, ['error.type', span.errorType] as const],
  ),
  ...(span.links.length > 0 && { links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })) }),
  status: span.errorType === undefined ? {} : { code: failed },
})

/** A request to `/v1/traces`. */
export const writeSpans = (spans: readonly Span[], resource: ReadonlyMap<string, string>): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'chancery' }, spans: spans.map(written) }],
      },
    ],
  })

/** Where traces go, under the names that OpenTelemetry has for it. */
import { bool, choice, integer, list, text, url, variable } from '../variable.ts'

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** `name=value`, with the value as in a URL. */
const pair = (item: string): readonly [string, string] => {
  const at = item.indexOf('=')
  const name = item.slice(0, at).trim()
  try {
    if (at > 0 && name !== '') return [name, decodeURIComponent(item.slice(at + 1).trim())]
  } catch {
    // Said below.
  }
  throw new Error('must be a list of name=value, each value as in a URL, separated by commas')
}

const pairs = (facts: { sentence: string; secret?: boolean }) => {
  const { parse, ...rest } = list({ fallback: [], separator: ',', ...facts })
  return variable<(readonly [string, string])[]>(rest.type, { ...rest, fallback: [] }, (given) =>
    parse(given).map(pair),
  )
}

const ratio = variable<number>(
  'number',
  { fallback: 1, sentence: 'The share of traces that is recorded, from 0 to 1, with a sampler of a ratio.' },
  (given) => {
    const value = Number(given)
    if (value >= 0 && value <= 1) return value
    throw new Error('must be a number from 0 to 1')
  },
)

export const tracing = {
  Traces: {
    OTEL_EXPORTER_OTLP_ENDPOINT: url({
      fallback: undefined,
      fallbackText: 'none: no traces',
      protocols: ['http:', 'https:'],
      sentence: 'The collector (OTLP over HTTP), without `/v1/traces`, such as http://localhost:4318.',
    }),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url({
      fallback: undefined,
      fallbackText: 'below the endpoint',
      protocols: ['http:', 'https:'],
      sentence: 'The whole address for traces, instead.',
    }),
    OTEL_EXPORTER_OTLP_HEADERS: pairs({ secret: true, sentence: 'Headers for the collector: name=value, …' }),
    OTEL_EXPORTER_OTLP_PROTOCOL: choice(['http/json', 'http/protobuf'], {
      fallback: 'http/json',
      sentence: 'JSON is sent with either: a receiver of OTLP over HTTP takes both at one address. gRPC is not spoken.',
    }),
    OTEL_EXPORTER_OTLP_COMPRESSION: choice(['none', 'gzip'], {
      fallback: 'none',
      sentence: 'Whether what is sent is compressed.',
    }),
    OTEL_EXPORTER_OTLP_TIMEOUT: integer({
      fallback: 10_000,
      min: 100,
      max: 60_000,
      sentence: 'How long the collector may take for a batch, in milliseconds.',
    }),
    OTEL_SERVICE_NAME: text({
      fallback: undefined,
      fallbackText: 'chancery',
      sentence: 'The name of this instance in traces.',
    }),
    OTEL_RESOURCE_ATTRIBUTES: pairs({
      sentence: 'More about this instance, such as deployment.environment.name=prod.',
    }),
    OTEL_TRACES_EXPORTER: choice(['otlp', 'none'], { fallback: 'otlp', sentence: 'none sends no traces.' }),
    OTEL_TRACES_SAMPLER: choice(samplers, {
      fallback: 'parentbased_always_on',
      sentence: 'Which traces are recorded; those with a parent follow what it says, if it comes from a trusted proxy.',
    }),
    OTEL_TRACES_SAMPLER_ARG: ratio,
    OTEL_BSP_SCHEDULE_DELAY: integer({
      fallback: 5000,
      min: 10,
      max: 60_000,
      sentence: 'The longest that a span waits for others, in milliseconds.',
    }),
    OTEL_BSP_MAX_QUEUE_SIZE: integer({
      fallback: 2048,
      min: 512,
      max: 100_000,
      sentence: 'Spans that may wait in each process; further ones are dropped.',
    }),
    OTEL_SDK_DISABLED: bool({ fallback: false, sentence: 'true switches traces off, whatever else is set.' }),
  },
} as const

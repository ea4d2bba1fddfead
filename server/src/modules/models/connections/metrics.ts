/** Metrics of model calls: tokens, the time to the first byte, and failures of providers. */
import type { Use } from '#kernel/meter.ts'
import type { Metrics } from '#kernel/metrics/index.ts'
import type { CallOutcome } from './connection-health.ts'

export interface ModelMetrics {
  onUse(use: Use): void
  /** One function for each connection. */
  attemptsOf(connection: string): (ms: number, outcome: CallOutcome) => void
}

export const createModelMetrics = (metrics: Metrics): ModelMetrics => {
  const tokens = metrics.counter({
    name: 'chancery_model_tokens_total',
    help: 'Tokens of all calls of models.',
    labels: ['kind'],
  })
  const [prompt, completion] = [tokens.of('prompt'), tokens.of('completion')]
  const calls = metrics.counter({
    name: 'chancery_model_calls_total',
    help: 'Calls of models by whether they failed.',
    labels: ['outcome'],
  })
  const cost = metrics
    .counter({
      name: 'chancery_model_cost_total',
      help: 'What calls of models with a price have cost, in the currency of the instance.',
    })
    .of()
  const [answered, failed] = [calls.of('answered'), calls.of('failed')]
  const firstBytes = metrics.histogram({
    name: 'chancery_provider_first_byte_seconds',
    help: 'From the request to the first frame of a stream, or to a whole answer.',
    labels: ['connection'],
  })
  const failures = metrics.counter({
    name: 'chancery_provider_failures_total',
    help: 'Calls that a connection failed to answer.',
    labels: ['connection'],
  })
  return {
    onUse: (use) => {
      prompt.add(use.promptTokens)
      completion.add(use.completionTokens)
      if (use.price) cost.add((use.promptTokens * use.price.input + use.completionTokens * use.price.output) / 1e6)
      if (use.failed) failed.add()
      else answered.add()
    },
    attemptsOf: (connection) => {
      const firstByte = firstBytes.of(connection)
      return (ms, outcome) => {
        if (outcome === 'answered' || outcome === 'refused' || outcome === 'busy') firstByte.observe(ms / 1000)
        else if (outcome !== 'abandoned') failures.of(connection).add()
      }
    },
  }
}

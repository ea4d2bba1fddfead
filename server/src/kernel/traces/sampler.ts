/** Which traces are recorded, with the names that OpenTelemetry has for it. */
import { createHash } from 'node:crypto'
import type { samplers } from '../config/sections/tracing.ts'
import type { TraceContext } from '../spans/trace-context.ts'

export type Sampler = (traceId: string, parent?: TraceContext) => boolean

interface Options {
  sampler: (typeof samplers)[number]
  ratio: number
  /**
   * Publishers may choose the ids of their events and with them the ids of traces. With a secret in the decision they
   * don't choose which are recorded, and all servers still decide alike.
   */
  secret: string
}

export const createSampler = ({ sampler, ratio, secret }: Options): Sampler => {
  const own = sampler.replace('parentbased_', '')
  const decide = (traceId: string): boolean => {
    if (own !== 'traceidratio' || ratio >= 1) return own !== 'always_off'
    return createHash('sha256').update(`traces ${secret} ${traceId}`).digest().readUInt32BE() < ratio * 2 ** 32
  }
  if (own === sampler) return decide
  return (traceId, parent) => parent?.isSampled ?? decide(traceId)
}

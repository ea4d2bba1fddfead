/** Engines behind an address that an administrator configured: a local model runtime, or a compatible provider. */
import { z } from 'zod'
import type { Meter } from '#kernel/meter.ts'
import { hostPortOf, type Outbound } from '#kernel/outbound/index.ts'
import { countCall, tokensOf } from '#modules/models/index.ts'
import { type Engine, normalised } from './engine.ts'

const Vector = z.array(z.number())
// Counts are read as unknown: they never refuse a reply.
const UpstreamReply = z.object({ embeddings: z.array(Vector), prompt_eval_count: z.unknown().optional() })
const CompatReply = z.object({
  data: z.array(z.object({ embedding: Vector, index: z.int().optional() })),
  usage: z.unknown().optional(),
})

export interface RemoteSettings {
  engine: 'upstream' | 'compat'
  url: string
  model: string
  key: string | undefined
}

const batchSize = 32
const maxBytes = 64 * 1024 * 1024

interface Deps {
  outbound: Outbound
  meter: Meter
}

/** Embedding counts towards usage. Throws `usage_limit_reached`, before anything is sent, when the budget is spent. */
export const createRemoteEngine = ({ outbound, meter }: Deps, settings: RemoteSettings): Engine => {
  const { engine, model } = settings
  return {
    id: `${engine}/${model}`,
    batchSize,
    embed: (texts, { payer, signal }) => {
      const characters = texts.reduce((sum, { length }) => sum + length, 0)
      const usual = { promptTokens: tokensOf(characters), completionTokens: 0 }
      const call = { payer, model, usual, estimate: usual.promptTokens, isContinued: true, signal }
      return countCall(meter, call, async (onSpent) => {
        const { vectors, usage } = read(engine, await ask(outbound, settings, { texts, signal }))
        onSpent(usage)
        if (vectors.length !== texts.length) throw new Error('The embedding engine returned another number of vectors.')
        return vectors.map(normalised)
      })
    },
  }
}

const ask = async (
  outbound: Outbound,
  { engine, url, model, key }: RemoteSettings,
  { texts, signal }: { texts: readonly string[]; signal: AbortSignal },
): Promise<unknown> => {
  const address = `${url.replace(/\/+$/, '')}${engine === 'upstream' ? '/api/embed' : '/embeddings'}`
  const reply = await outbound.fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, input: texts }),
    trusted: hostPortOf(address),
    maxBytes,
    totalMs: 120_000,
    signal,
  })
  const json = await reply.json()
  if (reply.status !== 200) throw new Error(`The embedding engine answered ${reply.status}.`)
  return json
}

const read = (engine: RemoteSettings['engine'], json: unknown): { vectors: number[][]; usage: unknown } => {
  if (engine === 'upstream') {
    const { embeddings, prompt_eval_count: tokens } = UpstreamReply.parse(json)
    return { vectors: embeddings, usage: { prompt_tokens: tokens } }
  }
  const { data, usage } = CompatReply.parse(json)
  const sorted = data.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
  return { vectors: sorted.map(({ embedding }) => embedding), usage }
}

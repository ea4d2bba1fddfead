/** Engines behind an address that an administrator configured: a local model runtime, or a compatible provider. */
import { z } from 'zod'
import { hostPortOf, type Outbound } from '#kernel/outbound/index.ts'
import { type Engine, normalised } from './engine.ts'

const Vector = z.array(z.number())
const UpstreamReply = z.object({ embeddings: z.array(Vector) })
const CompatReply = z.object({ data: z.array(z.object({ embedding: Vector, index: z.int().optional() })) })

export interface RemoteSettings {
  engine: 'upstream' | 'compat'
  url: string
  model: string
  key: string | undefined
}

const batchSize = 32
const maxBytes = 64 * 1024 * 1024

export const createRemoteEngine = (outbound: Outbound, { engine, url, model, key }: RemoteSettings): Engine => {
  const address = `${url.replace(/\/+$/, '')}${engine === 'upstream' ? '/api/embed' : '/embeddings'}`
  return {
    id: `${engine}/${model}`,
    batchSize,
    embed: async (texts, { signal }) => {
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
      const vectors = vectorsOf(engine, json)
      if (vectors.length !== texts.length) throw new Error('The embedding engine returned another number of vectors.')
      return vectors.map(normalised)
    },
  }
}

const vectorsOf = (engine: RemoteSettings['engine'], json: unknown): number[][] => {
  if (engine === 'upstream') return UpstreamReply.parse(json).embeddings
  const { data } = CompatReply.parse(json)
  return data.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0)).map(({ embedding }) => embedding)
}

/**
 * Local model runtimes, through their native API: only that one supports thinking, images, keep-alive and all options.
 * Requests and replies are translated; what the native API does not have is left out.
 */
import { randomUUID } from 'node:crypto'
import { type Readable, Transform, type TransformCallback } from 'node:stream'
import { flowOf } from '#kernel/bytes/byte-flow.ts'
import { AppError } from '#kernel/errors.ts'
import type { OutboundReply } from '#kernel/outbound/index.ts'
import { asProviderError, failureInBody, refusalOf } from '../stream/provider-errors.ts'
import type { Driver, DriverAnswer, ListedModel } from './driver.ts'
import { madeAt, type NativeLine, problemIn, toCompletion } from './upstream-reply.ts'
import { toNativeChat } from './upstream-request.ts'
import { createNativeStream, type NativeStream } from './upstream-stream.ts'

const maxListBytes = 16 * 1024 * 1024
const maxReplyBytes = 32 * 1024 * 1024

export const upstreamDriver: Driver = {
  listModels: async (client, signal) => {
    const reply = await client.send({ method: 'GET', path: '/api/tags', signal, maxBytes: maxListBytes })
    if (reply.status !== 200) throw await refusalOf(reply)
    return readTags(await readJson(reply))
  },

  chat: async (client, { nativeId, body: asked, signal, addedLimit }) => {
    const body = addedLimit === undefined ? asked : { ...asked, max_tokens: addedLimit }
    const isStreamed = body.stream === true
    const reply = await client.send({
      method: 'POST',
      path: '/api/chat',
      headers: { 'content-type': 'application/json' },
      signal,
      ...(isStreamed ? {} : { maxBytes: maxReplyBytes }),
      body: JSON.stringify(toNativeChat(body, nativeId)),
    })
    if (reply.status !== 200) throw await refusalOf(reply)
    return isStreamed ? streamed(reply, nativeId) : whole(reply, nativeId)
  },
}

const newId = (): string => `chatcmpl-${randomUUID()}`

const whole = async (reply: OutboundReply, model: string): Promise<DriverAnswer> => {
  const line = (await readJson(reply)) as NativeLine | null
  if (typeof line !== 'object' || line === null || problemIn(line) !== undefined || line.message === undefined)
    throw failureInBody(line)
  return { kind: 'whole', completion: toCompletion(line, { id: newId(), model }) }
}

const streamed = (reply: OutboundReply, model: string): DriverAnswer => {
  if (!(reply.headers.get('content-type') ?? 'json').includes('json')) {
    reply.discard()
    throw new AppError('provider_failed', { detail: 'The runtime answered with something that is no stream of JSON.' })
  }
  return { kind: 'stream', flow: flowOf(translated(reply.body, createNativeStream({ id: newId(), model }))) }
}

/** A failure of the runtime goes on to the reader; a reader who leaves closes the connection to the runtime. */
const translated = (from: Readable, stream: NativeStream): Readable => {
  const events = new Translation(stream)
  from.on('error', (problem) => events.destroy(asProviderError(problem) as Error))
  events.on('error', () => undefined).once('close', () => from.destroy())
  return from.pipe(events)
}

class Translation extends Transform {
  readonly #stream: NativeStream

  constructor(stream: NativeStream) {
    super()
    this.#stream = stream
  }

  override _transform(piece: Buffer, _encoding: string, done: TransformCallback): void {
    const events = this.#stream.push(piece)
    done(null, events === '' ? undefined : events)
  }

  override _flush(done: TransformCallback): void {
    const events = this.#stream.end()
    done(null, events === '' ? undefined : events)
  }
}

const readJson = async (reply: OutboundReply): Promise<unknown> => {
  try {
    return await reply.json()
  } catch (problem) {
    throw asProviderError(problem)
  }
}

const readTags = (body: unknown): ListedModel[] => {
  const models = (body as { models?: unknown } | null)?.models
  if (!Array.isArray(models)) throw new AppError('provider_failed', { detail: 'The model list could not be read.' })
  return models.flatMap((entry: unknown) => {
    const { model, name, modified_at: at } = (entry ?? {}) as Record<string, unknown>
    const id = typeof model === 'string' && model !== '' ? model : name
    if (typeof id !== 'string') return []
    const created = madeAt({ created_at: at }) || null
    return [{ id, name: id, ownedBy: 'upstream', created, capabilities: [], contextLength: null }]
  })
}

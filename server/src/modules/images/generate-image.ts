/** Has an image made by the compatible server, and stores it as a file of the person who asked for it. */
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Meter } from '#kernel/meter.ts'
import { hostPortOf, type Outbound, type OutboundReply } from '#kernel/outbound/index.ts'
import type { FileRow, Files } from '#modules/files/index.ts'
import { countCall, type OnSpent, tokensOf } from '#modules/models/index.ts'
import type { ImageSettings } from './settings.ts'

export interface ImagesContext extends Pick<Kernel, 'log' | 'outbound'> {
  files: Pick<Files, 'store'>
  meter: Meter
  settings: () => ImageSettings
}

const Reply = z.object({
  data: z.array(z.object({ b64_json: z.string().optional(), url: z.string().optional() })).min(1),
  usage: z.unknown().optional(),
})

const totalMs = 110_000
const maxReplyBytes = 32 * 1024 * 1024
const maxImageBytes = 20 * 1024 * 1024

/** An image's estimate for budgets; servers that count tokens report the real number. */
const usualTokens = 1000
/** In reports, where no model is set. */
const unnamed = 'image_generation'

interface Request {
  actor: Actor
  prompt: string
  signal: AbortSignal
}

/** Throws `usage_limit_reached` before anything is asked. */
const counted = (context: ImagesContext, { actor, prompt, signal }: Request): Promise<Buffer> => {
  const { meter, settings } = context
  const usual = { promptTokens: tokensOf(prompt.length), completionTokens: 0 }
  const call = {
    payer: actor,
    model: settings().model ?? unnamed,
    usual,
    estimate: usual.promptTokens + usualTokens,
    signal,
  }
  return countCall(meter, call, (onSpent) => request(context, { prompt, signal, onSpent }))
}

export const generateImage = async (context: ImagesContext, request: Request): Promise<FileRow> => {
  const { actor, prompt } = request
  const bytes = await counted(context, request)
  const type = typeOf(bytes)
  if (!type) throw new AppError('image_generation_failed')
  const name = `${
    prompt
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .slice(0, 60)
      .trim() || 'image'
  }.${type.extension}`
  return context.files.store(actor, { name, contentType: type.contentType, bytes })
}

interface Sending {
  prompt: string
  signal: AbortSignal
  onSpent: OnSpent
}

const request = async (context: ImagesContext, sending: Sending): Promise<Buffer> => {
  const { log, outbound, settings } = context
  const { signal, onSpent } = sending
  const { url } = settings()
  if (url === undefined) throw new AppError('image_generation_unavailable')
  const address = `${url.replace(/\/+$/, '')}/images/generations`
  try {
    const reply = await send(context, address, sending)
    if (reply.status !== 200) {
      reply.discard()
      throw new Error(`The image engine answered ${reply.status}.`)
    }
    onSpent()
    const { data, usage } = Reply.parse(await reply.json())
    onSpent(usage)
    const [image] = data
    if (image?.b64_json !== undefined) return Buffer.from(image.b64_json, 'base64')
    return await download(outbound, { url: image?.url ?? '', trusted: hostPortOf(address), signal })
  } catch (problem) {
    signal.throwIfAborted()
    log.warn({ err: problem }, 'An image could not be made.')
    throw new AppError('image_generation_failed', { cause: problem })
  }
}

const send = (
  { outbound, settings }: ImagesContext,
  address: string,
  { prompt, signal }: Sending,
): Promise<OutboundReply> => {
  const { key, model, size } = settings()
  return outbound.fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ ...(model && { model }), prompt, n: 1, ...(size && { size }) }),
    trusted: hostPortOf(address),
    maxBytes: maxReplyBytes,
    maxRedirects: 0,
    firstByteMs: totalMs,
    totalMs,
    signal,
  })
}

/** Some servers answer with an address. It is fetched like any other page, unless it is on the server itself. */
const download = async (
  outbound: Outbound,
  { url, trusted, signal }: { url: string; trusted: string; signal: AbortSignal },
): Promise<Buffer> => {
  const reply = await outbound.fetch(url, { trusted, maxBytes: maxImageBytes, totalMs: 30_000, signal })
  if (reply.status === 200) return reply.bytes()
  reply.discard()
  throw new Error(`The image's address answered ${reply.status}.`)
}

const types = [
  { contentType: 'image/png', extension: 'png', starts: /^\x89PNG/ },
  { contentType: 'image/jpeg', extension: 'jpg', starts: /^\xff\xd8\xff/ },
  { contentType: 'image/webp', extension: 'webp', starts: /^RIFF[\s\S]{4}WEBP/ },
  { contentType: 'image/gif', extension: 'gif', starts: /^GIF8/ },
]

const typeOf = (bytes: Buffer) => {
  const start = bytes.toString('latin1', 0, 16)
  return types.find(({ starts }) => starts.test(start))
}

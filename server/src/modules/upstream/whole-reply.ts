/**
 * A reply in the common format that is not streamed, whatever the backend calls it: without what the API doesn't have, which
 * a chat client could take for ours. Clean bytes pass as they came.
 */
import { AppError } from '#kernel/errors.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import { type BackendReply, cleanChunk, withoutEvent } from '#modules/models/index.ts'

const maxBytes = 32 * 1024 * 1024

interface Reader {
  /** Responses and messages, as opposed to completions. */
  isTyped: boolean
  onWhole(bytes: Buffer): void
}

export const wholeReply = async ({ status, body }: BackendReply, { isTyped, onWhole }: Reader): Promise<RawReply> => {
  const bytes = await readWhole(body as AsyncIterable<Buffer>)
  const value = parsed(bytes)
  const cleaned = value && (isTyped ? withoutEvent(value) : cleanChunk(withoutEvent(value), null))
  if (!cleaned) throw new AppError('provider_failed', { detail: 'The model sent something that is not a reply.' })
  onWhole(bytes)
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store, no-transform' },
    body: cleaned === value ? bytes : JSON.stringify(cleaned),
  }
}

const readWhole = async (body: AsyncIterable<Buffer>): Promise<Buffer> => {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > maxBytes)
      throw new AppError('provider_failed', { detail: 'The model sent more in one piece than is accepted.' })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const parsed = (bytes: Buffer): Record<string, unknown> | undefined => {
  try {
    const value: unknown = parseForeign(bytes.toString())
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

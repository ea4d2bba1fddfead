/** Passes a backend's reply on: its status, content type and bytes, and nothing else. */
import { startPings } from '#kernel/http/replies/early-head.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import { type BackendReply, cleanChunk, cleanTyped, FrameReader } from '#modules/models/index.ts'

export interface StreamEnd {
  /** The backend sent all it had. */
  isWhole: boolean
  /** The backend failed in the middle, as opposed to a client who disconnected. */
  hasFailed: boolean
}

interface Reader {
  /** The API's events have types, as those of responses do; otherwise they are chunks. */
  isTyped?: boolean
  /** Throws what ends the reply. */
  onPiece?(piece: Buffer): void | Promise<void>
  /** The last event for a reply that we end, as its API tells it; undefined cuts the connection. */
  closing?(problem: unknown): string | undefined
  /** Called once. */
  onEnd?(end: StreamEnd): void
}

export const streamReply = (
  { status, headers, body }: BackendReply,
  { isTyped = false, onPiece, closing, onEnd }: Reader = {},
): RawReply => ({
  status,
  headers: { 'content-type': typeOf(headers), 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
  body: async (outlet) => {
    const end = { isWhole: false, hasFailed: false }
    outlet.onClose(() => body.destroy())
    const pieces = body as AsyncIterable<Buffer>
    const stopPings = isEventStream(headers) ? startPings(outlet) : undefined
    try {
      for await (const piece of isEventStream(headers) ? cleaned(pieces, isTyped) : pieces) {
        await onPiece?.(piece)
        if (!outlet.write(piece)) await outlet.drained()
      }
      end.isWhole = outlet.isOpen
    } catch (problem) {
      end.hasFailed = outlet.isOpen
      const last = closing?.(problem)
      if (last === undefined) throw problem
      body.destroy()
      outlet.end(last)
    } finally {
      stopPings?.()
      onEnd?.(end)
    }
  },
})

/** Without what no runtime sends, which a chat client could take for an event of ours. Clean bytes pass as they came. */
async function* cleaned(pieces: AsyncIterable<Buffer>, isTyped: boolean): AsyncGenerator<Buffer> {
  const reader = new FrameReader(isTyped ? { clean: cleanTyped, keepsNames: true } : { clean: cleanChunk })
  for await (const piece of pieces) {
    const passed = reader.read(piece)
    if (passed) yield passed
    if (reader.failure) throw reader.failure
  }
  const rest = reader.rest()
  const last = rest && reader.readWhole(rest)
  if (last) yield last
  if (reader.failure) throw reader.failure
}

export const typeOf = (headers: BackendReply['headers']): string =>
  headers.get('content-type') ?? 'application/octet-stream'

export const isEventStream = (headers: BackendReply['headers']): boolean => /event-stream/i.test(typeOf(headers))

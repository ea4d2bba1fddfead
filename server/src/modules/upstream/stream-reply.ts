/** Passes a backend's reply on: its status, content type and bytes, and nothing else. */
import { startPings } from '#kernel/http/replies/early-head.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import { type BackendReply, cleanChunk, cleanTyped, FrameReader } from '#modules/models/index.ts'

interface Reader {
  /** The API's events have types, as those of responses do; otherwise they are chunks. */
  isTyped?: boolean
  onPiece?(piece: Buffer): void
  /** Called once. `isCut` means that the backend failed in the middle, not that the client disconnected. */
  onEnd?(isCut: boolean): void
}

export const streamReply = (
  { status, headers, body }: BackendReply,
  { isTyped = false, onPiece, onEnd }: Reader = {},
): RawReply => ({
  status,
  headers: { 'content-type': typeOf(headers), 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
  body: async (outlet) => {
    let isCut = false
    outlet.onClose(() => body.destroy())
    const pieces = body as AsyncIterable<Buffer>
    const stopPings = isEventStream(headers) ? startPings(outlet) : undefined
    try {
      for await (const piece of isEventStream(headers) ? cleaned(pieces, isTyped) : pieces) {
        onPiece?.(piece)
        if (!outlet.write(piece)) await outlet.drained()
      }
    } catch (problem) {
      isCut = outlet.isOpen
      throw problem
    } finally {
      stopPings?.()
      onEnd?.(isCut)
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

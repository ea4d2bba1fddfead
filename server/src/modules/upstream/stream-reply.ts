/** Passes a backend's reply on: its status, content type and bytes, and nothing else. */
import { startPings } from '#kernel/http/replies/early-head.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import { FrameCutter } from '#kernel/sse/frame-cutter.ts'
import { type BackendReply, cleanChunk, cleanTyped, FrameCleaner } from '#modules/models/index.ts'

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

const maxFrameBytes = 16 * 1024 * 1024

/** Without what no runtime sends, which a chat client could take for an event of ours. Clean bytes pass as they came. */
async function* cleaned(pieces: AsyncIterable<Buffer>, isTyped: boolean): AsyncGenerator<Buffer> {
  const cutter = new FrameCutter({ maxFrameBytes })
  const cleaner = isTyped ? new FrameCleaner(cleanTyped, { keepsNames: true }) : new FrameCleaner(cleanChunk)
  for await (const piece of pieces) {
    const frames = cutter.push(piece)
    const passed = frames && cleaner.clean(frames)
    if (passed) yield passed
    if (cleaner.failure) throw cleaner.failure
  }
  const rest = cutter.rest()
  const last = rest && cleaner.clean(rest)
  if (last) yield last
  if (cleaner.failure) throw cleaner.failure
}

export const typeOf = (headers: BackendReply['headers']): string =>
  headers.get('content-type') ?? 'application/octet-stream'

export const isEventStream = (headers: BackendReply['headers']): boolean => /event-stream/i.test(typeOf(headers))

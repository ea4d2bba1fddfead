/** Passes a backend's reply on: its status, content type and bytes, and nothing else. */
import type { RawReply } from '#kernel/http/raw-reply.ts'
import { FrameCutter } from '#kernel/sse/frame-cutter.ts'
import { type BackendReply, dropEventFrames } from '#modules/models/index.ts'

interface Reader {
  onPiece?(piece: Buffer): void
  /** Called once. `isCut` means that the backend failed in the middle, not that the client disconnected. */
  onEnd?(isCut: boolean): void
}

export const streamReply = ({ status, headers, body }: BackendReply, { onPiece, onEnd }: Reader = {}): RawReply => ({
  status,
  headers: { 'content-type': typeOf(headers), 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
  body: async (outlet) => {
    let isCut = false
    outlet.onClose(() => body.destroy())
    const pieces = body as AsyncIterable<Buffer>
    try {
      for await (const piece of typeOf(headers).includes('event-stream') ? withoutEvents(pieces) : pieces) {
        onPiece?.(piece)
        if (!outlet.write(piece)) await outlet.drained()
      }
    } catch (problem) {
      isCut = outlet.isOpen
      throw problem
    } finally {
      onEnd?.(isCut)
    }
  },
})

const maxFrameBytes = 16 * 1024 * 1024

/** Without frames that hold an `event` object, which a chat client could take for one of ours. */
async function* withoutEvents(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const cutter = new FrameCutter({ maxFrameBytes })
  for await (const piece of pieces) {
    const frames = cutter.push(piece)
    const passed = frames && dropEventFrames(frames)
    if (passed) yield passed
  }
  const rest = cutter.rest()
  const last = rest && dropEventFrames(rest)
  if (last) yield last
}

export const typeOf = (headers: BackendReply['headers']): string =>
  headers.get('content-type') ?? 'application/octet-stream'

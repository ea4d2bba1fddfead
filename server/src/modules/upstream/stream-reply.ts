/** Passes a backend's reply on: its status, content type and bytes, and nothing else. */
import type { RawReply } from '#kernel/http/raw-reply.ts'
import type { BackendReply } from '#modules/models/index.ts'

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
    try {
      for await (const piece of body as AsyncIterable<Buffer>) {
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

export const typeOf = (headers: BackendReply['headers']): string =>
  headers.get('content-type') ?? 'application/octet-stream'

/** Sends frames to a client at the client's pace, and pings while there are none. */
import { startPings } from '#kernel/http/replies/early-head.ts'
import type { WriteBody } from '#kernel/http/replies/raw-reply.ts'

export const writeFrames =
  (frames: AsyncIterable<string | Uint8Array>): WriteBody =>
  async (outlet) => {
    const stopPings = startPings(outlet)
    try {
      for await (const frame of frames) {
        if (!outlet.isOpen) return
        if (!outlet.write(frame)) await outlet.drained()
      }
    } finally {
      stopPings()
    }
  }

/** Sends frames to a client at the client's pace, and pings while there are none. */
import type { WriteBody } from '#kernel/http/raw-reply.ts'

/** Proxies close connections that are silent for a minute. Clients skip comments. */
const pingEveryMs = 15_000
const ping = ': ping\n\n'

export const writeFrames =
  (frames: AsyncIterable<string | Uint8Array>): WriteBody =>
  async (outlet) => {
    const timer = setInterval(() => {
      if (outlet.waiting === 0) outlet.write(ping)
    }, pingEveryMs)
    timer.unref()
    try {
      for await (const frame of frames) {
        if (!outlet.isOpen) return
        if (!outlet.write(frame)) await outlet.drained()
      }
    } finally {
      clearInterval(timer)
    }
  }

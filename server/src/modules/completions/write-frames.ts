/** Sends frames to a client at the client's pace, and pings while there are none. */
import { ping, pingEveryMs } from '#kernel/http/early-head.ts'
import type { Outlet, WriteBody } from '#kernel/http/raw-reply.ts'

/** Returns how to stop. Nothing is sent while the client has something waiting. */
export const startPings = (outlet: Outlet): (() => void) => {
  const timer = setInterval(() => {
    if (outlet.waiting === 0) outlet.write(ping)
  }, pingEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

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

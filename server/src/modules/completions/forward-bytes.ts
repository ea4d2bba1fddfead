/**
 * Passes a provider's stream on as it came, when there is no filter, tool or chat to look at it. The pieces already hold
 * whole frames, so all that is added here is the end that the API promises: `[DONE]`, also when the provider breaks off.
 */
import type { ByteFlow } from '#kernel/bytes/byte-flow.ts'
import { startPings } from '#kernel/http/replies/early-head.ts'
import { asAppError } from '#kernel/http/replies/error-reply.ts'
import type { Outlet } from '#kernel/http/replies/raw-reply.ts'
import { doneFrame, errorFrame } from './frames.ts'
import { createPacedWriter } from './paced-writer.ts'
import { brokenOff } from './rounds/read-chunks.ts'

/**
 * No Node stream in between: this is where a gateway spends its time. While the client takes nothing the provider is
 * paused, so nothing piles up; the outlet cuts off a client that takes nothing for too long.
 */
export const writeBytes = (flow: ByteFlow, outlet: Outlet): Promise<void> =>
  new Promise((resolve, reject) => {
    let last: Buffer | undefined
    const waitForRoom = async (): Promise<void> => {
      flow.pause()
      await outlet.drained()
      if (outlet.isOpen) flow.resume()
      else flow.close()
    }
    const writer = createPacedWriter(outlet, () => void waitForRoom().catch(reject))
    const stopPings = startPings(outlet)
    const finish = (closing: string): void => {
      stopPings()
      writer.end(closing)
      resolve()
    }
    flow.pipeTo({
      take: (frames) => {
        last = frames
        writer.write(frames)
      },
      end: () => finish(closingFrames(last)),
      fail: (problem) => finish(errorFrame(asAppError(problem)) + doneFrame),
    })
  })

/** How much of the last piece is searched; the last chunk of a stream is short. */
const tailBytes = 4096
const finished = /"finish_reason"\s*:\s*"|"usage"\s*:\s*\{/

const closingFrames = (last: Buffer | undefined): string => {
  const tail = last?.toString('utf8', Math.max(0, last.length - tailBytes)) ?? ''
  if (/data: ?\[DONE\]/.test(tail)) return ''
  return (finished.test(tail) ? '' : errorFrame(brokenOff())) + doneFrame
}

/**
 * Passes a provider's stream on as it came, when there is no filter, tool or chat to look at it. The pieces already hold
 * whole frames, so all that is added here is the end that the API promises: `[DONE]`, also when the provider breaks off.
 */
import { startPings } from '#kernel/http/replies/early-head.ts'
import { asAppError } from '#kernel/http/replies/error-reply.ts'
import type { Outlet } from '#kernel/http/replies/raw-reply.ts'
import type { ReplyFlow } from '#modules/models/index.ts'
import { doneFrame, errorFrame } from './frames.ts'
import { createPacedWriter } from './paced-writer.ts'
import { brokenOff } from './rounds/read-chunks.ts'

/**
 * No Node stream in between: this is where a gateway spends its time. While the client takes nothing the provider is
 * paused, so nothing piles up; the outlet cuts off a client that takes nothing for too long.
 */
export const writeBytes = (flow: ReplyFlow, outlet: Outlet): Promise<void> =>
  new Promise((resolve, reject) => {
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
      take: (frames) => writer.write(frames),
      end: () => finish(closingFrames[flow.ending]()),
      fail: (problem) => finish(errorFrame(asAppError(problem)) + doneFrame),
    })
  })

const closingFrames: Record<ReplyFlow['ending'], () => string> = {
  done: () => '',
  finished: () => doneFrame,
  open: () => errorFrame(brokenOff()) + doneFrame,
}

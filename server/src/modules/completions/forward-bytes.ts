/**
 * A provider's stream as it came, for callers whom nothing stands between: no filter, no tool, no chat. Bytes are looked
 * at only so far as to pass whole frames and to end as the API promises, with `[DONE]`, also when the provider breaks.
 */
import type { Readable } from 'node:stream'
import type { ByteFlow } from '#kernel/bytes/byte-flow.ts'
import { AppError } from '#kernel/errors.ts'
import { asAppError } from '#kernel/http/error-reply.ts'
import type { Outlet } from '#kernel/http/raw-reply.ts'
import { createFrameCutter, type FrameCutter } from './frame-cutter.ts'
import { doneFrame, errorFrame } from './frames.ts'
import { createPacedWriter } from './paced-writer.ts'

/**
 * Without a stream between: this is where a gateway spends its time. While the client takes nothing the provider waits with
 * it, and nothing piles up; the outlet knows when that has lasted too long.
 */
export const writeBytes = (flow: ByteFlow, outlet: Outlet): Promise<void> =>
  new Promise((resolve, reject) => {
    const cutter = createFrameCutter()
    const waitForRoom = async (): Promise<void> => {
      flow.pause()
      await outlet.drained()
      if (outlet.isOpen) flow.resume()
      else flow.close()
    }
    const writer = createPacedWriter(outlet, () => void waitForRoom().catch(reject))
    const finish = (lastWords: string): void => {
      writer.end(lastWords)
      resolve()
    }
    flow.pipeTo({
      take: (bytes) => {
        const frames = cutter.push(bytes)
        if (frames) writer.write(frames)
      },
      end: () => finish(lastFrames(cutter)),
      fail: (problem) => finish(brokenFrames(cutter, problem)),
    })
  })

/** The same for callers within the house. */
export async function* framesOfBytes(body: Readable): AsyncGenerator<Uint8Array | string> {
  const cutter = createFrameCutter()
  try {
    for await (const bytes of body as AsyncIterable<Buffer>) {
      const frames = cutter.push(bytes)
      if (frames) yield frames
    }
  } catch (problem) {
    yield brokenFrames(cutter, problem)
    return
  }
  yield lastFrames(cutter)
}

const lastFrames = (cutter: FrameCutter): string => {
  const { isDone, isFinished, rest } = cutter.end()
  if (isDone) return rest
  if (isFinished) return rest + doneFrame
  const failure = new AppError('provider_failed', { detail: 'The model broke off in the middle of its reply.' })
  return errorFrame(failure) + doneFrame
}

const brokenFrames = (cutter: FrameCutter, problem: unknown): string => {
  const before = cutter.isWithinFrame ? '\n\n' : ''
  return before + errorFrame(asAppError(problem)) + doneFrame
}

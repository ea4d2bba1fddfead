/**
 * Follows one running reply to its end. Frames arrive over the socket; the resume stream is opened when the socket
 * can't be relied on: a reply that was already running, a gap in the numbers, or a lost connection.
 */
import type { ReplyFrame } from '@chancery/contract/chats/events.ts'
import { blankReply, checkFrame, type Reply, withFrame } from '../history/reply.ts'

export interface FollowerPorts {
  /** Frames after this number, until the reply ends or the signal aborts. */
  readFrames: (after: number, signal: AbortSignal) => AsyncIterable<ReplyFrame>
  onReply: (reply: Reply) => void
  onEnd: (reply: Reply) => void
  /** The stream ended but the reply didn't: the stored message may know more. */
  onLost: () => void
  /** True for a stream error that says there is no such reply. */
  isMissing: (error: unknown) => boolean
  /** Our own request is in flight: until `begun` there is nothing to resume. */
  isFresh: boolean
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface Follower {
  /** A frame from the socket. */
  take: (frame: ReplyFrame) => void
  /** The server has accepted the request. */
  begun: () => void
  /** The socket connected or disconnected: ask for what was missed. */
  resume: () => void
  stop: () => void
}

const firstWaitMs = 500
/** If nothing arrives for this long, the frames may have been sent before anyone listened. */
const silentMs = 1500
const longestWaitMs = 15_000
/** Another tab may have announced a reply that it hasn't requested yet. */
const missesAllowed = 4

export const neverStarted = 'reply_not_running'
const never = { content: 'This reply was never started.', code: neverStarted }

const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

export function followReply({ wait = sleep, ...ports }: FollowerPorts): Follower {
  let reply = blankReply
  let canResume = !ports.isFresh
  /** A gap was found before there was anything to resume. */
  let isWanted = false
  const controller = new AbortController()
  /** The stream, and whether it is being read or waiting to retry. */
  let stream: { abort: AbortController; isReading: boolean } | undefined

  const close = () => {
    stream?.abort.abort()
    stream = undefined
  }
  const stop = () => {
    controller.abort()
    close()
  }
  const accept = (frame: ReplyFrame) => {
    reply = withFrame(reply, frame)
    ports.onReply(reply)
    if (!reply.isDone) return
    stop()
    ports.onEnd(reply)
  }

  const readOnce = async (signal: AbortSignal): Promise<'ended' | 'missing'> => {
    try {
      for await (const frame of ports.readFrames(reply.seq, signal)) {
        if (signal.aborted) break
        if (checkFrame(reply, frame) !== 'old') accept(frame)
      }
      return 'ended'
    } catch (error) {
      // A broken connection is handled like an early end: ask again.
      return ports.isMissing(error) ? 'missing' : 'ended'
    }
  }

  const read = async (own: NonNullable<typeof stream>) => {
    let misses = 0
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      own.isReading = true
      const result = await readOnce(own.abort.signal)
      own.isReading = false
      if (own.abort.signal.aborted) return
      misses = result === 'missing' ? misses + 1 : 0
      if (misses > missesAllowed) return accept({ seq: reply.seq + 1, error: never, done: true })
      if (result === 'ended') ports.onLost()
      await wait(waitMs, own.abort.signal)
      if (own.abort.signal.aborted) return
    }
  }

  const resume = () => {
    if (controller.signal.aborted || stream) return
    isWanted = true
    if (!canResume) return
    stream = { abort: new AbortController(), isReading: true }
    void read(stream)
  }

  const take = (frame: ReplyFrame) => {
    if (controller.signal.aborted) return
    const outcome = checkFrame(reply, frame)
    // While the stream is read, socket frames are ignored, because stream frames may merge several of them. Once the
    // socket repeats what the stream delivered, the stream has caught up and is closed.
    if (stream?.isReading) {
      if (outcome === 'old') close()
      return
    }
    if (outcome === 'old') return
    close()
    if (outcome === 'new') accept(frame)
    else resume()
  }

  const begun = () => {
    canResume = true
    if (isWanted) resume()
    else if (reply.seq === 0) void wait(silentMs, controller.signal).then(() => reply.seq === 0 && resume())
  }
  return { take, begun, resume, stop }
}

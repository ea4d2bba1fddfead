/**
 * Follows one running reply to its end. Frames arrive over the socket; the resume stream is opened where the socket cannot
 * be relied on: a reply that was running before we looked, a hole in the numbers, a line that broke or never stood.
 */
import type { ReplyFrame } from '@chancery/contract/chat-events.ts'
import { blankReply, judgeFrame, type Reply, withFrame } from '../history/reply.ts'

export interface FollowerPorts {
  /** Frames after this number, until the reply ends or the signal says so. */
  readFrames: (after: number, signal: AbortSignal) => AsyncIterable<ReplyFrame>
  onReply: (reply: Reply) => void
  onEnd: (reply: Reply) => void
  /** The stream ended and the reply did not: the stored message may know more. */
  onLost: () => void
  /** Whether an error of the stream means that there is no such reply. */
  isMissing: (error: unknown) => boolean
  /** Our own request for it is on its way: until `begun` there is nothing to resume. */
  isFresh: boolean
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface Follower {
  /** A frame from the socket. */
  take: (frame: ReplyFrame) => void
  /** The server has taken the request. */
  begun: () => void
  /** The socket opened or broke: ask what was missed. */
  resume: () => void
  stop: () => void
}

const firstWaitMs = 500
/** A reply of which nothing was heard for so long after it began may have been told before anybody listened. */
const quietMs = 1500
const longestWaitMs = 15_000
/** Another tab may have announced a reply that it has not asked for yet. */
const missesAllowed = 4

export const neverBegun = 'reply_not_running'
const never = { content: 'This reply was never begun.', code: neverBegun }

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
  /** A hole was found before there was anything to resume. */
  let isWanted = false
  const life = new AbortController()
  /** The stream, and whether it is being read or waits for another try. */
  let stream: { abort: AbortController; isReading: boolean } | undefined

  const close = () => {
    stream?.abort.abort()
    stream = undefined
  }
  const stop = () => {
    life.abort()
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
        if (judgeFrame(reply, frame) !== 'old') accept(frame)
      }
      return 'ended'
    } catch (error) {
      // A line that broke is the same as one that ended early: ask again.
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
    if (life.signal.aborted || stream) return
    isWanted = true
    if (!canResume) return
    stream = { abort: new AbortController(), isReading: true }
    void read(stream)
  }

  const take = (frame: ReplyFrame) => {
    if (life.signal.aborted) return
    const outcome = judgeFrame(reply, frame)
    // While the stream is read it alone is believed: its frames may join several of the socket's. Once the socket
    // repeats what the stream brought, the stream has caught up and can go.
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
    else if (reply.seq === 0) void wait(quietMs, life.signal).then(() => reply.seq === 0 && resume())
  }
  return { take, begun, resume, stop }
}

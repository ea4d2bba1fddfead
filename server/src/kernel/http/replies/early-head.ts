/**
 * The head of an event stream before there is anything to stream: clients and proxies give up on a connection that stays
 * silent, however long a model thinks. Until then a failure has a status of its own; afterwards it is written as a frame.
 */
import { endsWithin } from '../../ends-within.ts'
import { AppError } from '../../errors.ts'
import type { Outlet, RawReply } from './raw-reply.ts'

/** Proxies close connections that are silent for a minute. Clients skip comments. */
export const pingEveryMs = 15_000
const ping = ': ping\n\n'

/** Returns how to stop. Nothing is sent while the client has something waiting. */
export const startPings = (outlet: Outlet): (() => void) => {
  const timer = setInterval(() => {
    if (outlet.waiting === 0) outlet.write(ping)
  }, pingEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

const notStreamed = 'The model answered with something that is no stream.'

interface EarlyHead {
  silenceMs: number
  /** Read when the head goes out. Headers of a reply that comes later are lost. */
  headers(): Record<string, string>
  /** A failure as the stream's format tells it, with the end of the stream. */
  failed(problem: unknown): string
}

export const withEarlyHead = async (reply: Promise<RawReply>, early: EarlyHead): Promise<RawReply> => {
  if (await endsWithin(reply, early.silenceMs)) return reply
  return {
    headers: early.headers(),
    body: async (outlet) => {
      outlet.write(ping)
      const stopPings = startPings(outlet)
      const settled = await reply.catch((problem: unknown) => early.failed(problem)).finally(stopPings)
      if (typeof settled === 'string') outlet.end(settled)
      else if (typeof settled.body === 'function') await settled.body(outlet)
      else outlet.end(early.failed(new AppError('provider_failed', { detail: notStreamed })))
    },
  }
}

/**
 * Follows a stream of server-sent events while it is wanted: reopens it after it breaks, with growing delays, from the
 * last event ID. A silent connection counts as broken: the server pings every 15 s.
 */

import { readEvents, type StreamEvent } from '@chancery/contract/reading/event-reader.ts'
import { ApiError } from '#lib/problems/api-error.ts'

/** `refused` is final: the server will reject another request too. */
export type StreamState = 'connecting' | 'open' | 'lost' | 'refused'

export interface StreamPorts {
  open: (lastId: string | undefined, signal: AbortSignal) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>
  onEvent: (event: StreamEvent) => void
  onState: (state: StreamState) => void
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

const firstWaitMs = 500
const longestWaitMs = 15_000
const silenceMs = 40_000

const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Timeouts, rate limits and server errors are temporary. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429

/** Returns a function that stops it. */
export function followStream({ open, onEvent, onState, wait = sleep }: StreamPorts): () => void {
  const over = new AbortController()
  let lastId: string | undefined
  let waitMs = firstWaitMs

  const readOnce = async () => {
    const line = new AbortController()
    const signal = AbortSignal.any([over.signal, line.signal])
    let watch = setTimeout(() => line.abort(), silenceMs)
    const isAlive = () => {
      clearTimeout(watch)
      watch = setTimeout(() => line.abort(), silenceMs)
    }
    try {
      const body = await open(lastId, signal)
      if (over.signal.aborted) return
      onState('open')
      for await (const event of readEvents(body, isAlive)) {
        if (over.signal.aborted) return
        waitMs = firstWaitMs
        lastId = event.id ?? lastId
        onEvent(event)
      }
    } finally {
      clearTimeout(watch)
      // Whatever ended it, the old connection is closed before a new one opens.
      line.abort()
    }
  }

  const follow = async () => {
    onState('connecting')
    while (!over.signal.aborted) {
      const failure = await readOnce().then(
        () => undefined,
        (error: unknown) => error,
      )
      if (over.signal.aborted) return
      if (isRefusal(failure)) return onState('refused')
      onState('lost')
      await wait(waitMs, over.signal)
      waitMs = Math.min(waitMs * 2, longestWaitMs)
    }
  }
  void follow()
  return () => over.abort()
}

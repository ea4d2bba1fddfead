/** The open streams of this node: keeps them alive, and ends those whose credential was revoked. */
import type { EventBusContext } from '../context.ts'

/** Proxies and browsers close a silent connection. */
const pingEveryMs = 15_000
/** Credentials are cached for a few seconds, so a revoked one ends its streams within five. */
const recheckEveryMs = 1000

export interface OpenStream {
  ping(): void
  isStillAuthorized(): Promise<boolean>
  end(): void
}

export interface Streams {
  add(stream: OpenStream): void
  remove(stream: OpenStream): void
}

export const startStreams = ({ tasks }: Pick<EventBusContext, 'tasks'>, signal: AbortSignal): Streams => {
  const open = new Set<OpenStream>()
  tasks.every('events.ping', { everyMs: pingEveryMs, signal }, async () => {
    for (const stream of open) stream.ping()
  })
  tasks.every('events.recheck', { everyMs: recheckEveryMs, signal }, async () => {
    for (const stream of [...open]) if (!(await stream.isStillAuthorized())) stream.end()
  })
  signal.addEventListener('abort', () => {
    for (const stream of [...open]) stream.end()
  })
  return {
    add: (stream) => {
      open.add(stream)
      if (signal.aborted) stream.end()
    },
    remove: (stream) => void open.delete(stream),
  }
}

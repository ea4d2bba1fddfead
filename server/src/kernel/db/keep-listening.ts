/**
 * A LISTEN subscription that reconnects by itself. It connects in the background, so that no start waits for it. What is
 * announced while it is disconnected is lost, so listeners must be able to do without.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { endsWithin } from '../ends-within.ts'
import type { Log } from '../log.ts'
import { connectionLimits } from './connection-limits.ts'

const reconnectMs = 500
/** A connection that only listens is asked for a sign of life this often, and has this long to give it. */
const usualHeartbeat = { everyMs: 5_000, answerMs: 5_000 }

interface Subscription {
  connection: pg.ClientConfig
  channels: readonly string[]
  log: Log
  heartbeat?: typeof usualHeartbeat
  onNotification(payload: string): void
  /** After each (re)connect, to look for what was announced while nobody listened. */
  onListening(): void
}

export const keepListening = (subscription: Subscription): { close(): Promise<void> } => {
  const { connection, channels, log, heartbeat = usualHeartbeat } = subscription
  const closing = new AbortController()
  let client: pg.Client | undefined
  let isReported = false

  const keepOn = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      client = new pg.Client({ ...connection, ...connectionLimits.listen })
      try {
        await listenUntilBroken(client, subscription, () => {
          isReported = false
        })
      } catch (error) {
        if (!closing.signal.aborted && !isReported)
          log.warn({ err: error }, `The connection that listens on ${channels[0]} is lost; connecting again.`)
        isReported = true
        cutOff(client)
      }
      await sleep(reconnectMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
    }
  }
  const listening = keepOn()
  return {
    async close() {
      closing.abort()
      if (client && !(await endsWithin(client.end(), heartbeat.answerMs))) cutOff(client)
      await listening
    },
  }
}

/** Without a goodbye, which a silent peer would never answer. */
const cutOff = (client: pg.Client): void => {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

/** Always ends by throwing. */
const listenUntilBroken = async (
  client: pg.Client,
  { channels, onNotification, onListening, heartbeat = usualHeartbeat }: Subscription,
  onConnected: () => void,
): Promise<never> => {
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  // Every error is followed by the end of the connection, or is the rejection of what is awaited here.
  client.on('error', () => undefined)
  client.on('notification', ({ payload }) => payload !== undefined && onNotification(payload))
  // For a client that is ended before it is connected, `connect` never settles.
  await Promise.race([client.connect(), ended])
  for (const channel of channels) await client.query(`listen "${channel}"`)
  onConnected()
  onListening()
  while (!(await endsWithin(ended, heartbeat.everyMs))) {
    const answered = client.query('select 1')
    answered.catch(() => undefined)
    if (!(await endsWithin(answered, heartbeat.answerMs))) throw new Error('The connection went silent.')
  }
  throw new Error('The connection ended.')
}

/**
 * A subscription that stays: it connects in the background, so that no start waits for it, and again whenever the
 * connection breaks. What was announced meanwhile is not heard: whoever listens must be able to do without.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'

const reconnectMs = 500

interface Subscription {
  connection: pg.ClientConfig
  channel: string
  log: Log
  onNotification(payload: string): void
  /** After each (re)connect, to look for what was announced while nobody listened. */
  onListening(): void
}

export const keepListening = (subscription: Subscription): { close(): Promise<void> } => {
  const closing = new AbortController()
  let client: pg.Client | undefined
  let isReported = false

  const keepOn = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      client = new pg.Client(subscription.connection)
      try {
        await listenUntilBroken(client, subscription, () => {
          isReported = false
        })
      } catch (error) {
        if (!closing.signal.aborted && !isReported)
          subscription.log.warn(
            { err: error },
            `The connection that listens on ${subscription.channel} is lost; connecting again.`,
          )
        isReported = true
        await client.end()
      }
      await sleep(reconnectMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
    }
  }
  const listening = keepOn()
  return {
    async close() {
      closing.abort()
      await client?.end()
      await listening
    },
  }
}

/** Always ends by throwing. */
const listenUntilBroken = async (
  client: pg.Client,
  { channel, onNotification, onListening }: Subscription,
  onConnected: () => void,
): Promise<never> => {
  const ended = new Promise((resolve) => client.once('end', resolve))
  // Every error is followed by the end of the connection, or is the rejection of what is awaited here.
  client.on('error', () => undefined)
  client.on('notification', ({ payload }) => payload !== undefined && onNotification(payload))
  await client.connect()
  await client.query(`listen "${channel}"`)
  onConnected()
  onListening()
  await ended
  throw new Error('The connection ended.')
}

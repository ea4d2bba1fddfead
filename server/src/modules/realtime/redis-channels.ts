/**
 * Named channels between nodes, over Redis. Nothing here rejects or waits long: what cannot be sent or heard while Redis
 * is away is lost, and `onReady` tells when that is over.
 */
import type { Log } from '#kernel/log.ts'

export interface Channels {
  /** How many nodes heard it, this one among them if it listens there. */
  send(channel: string, text: string): Promise<number>
  /** False when it failed. */
  subscribe(channels: readonly string[]): Promise<boolean>
  unsubscribe(channel: string): void
  isReady(): boolean
  close(): void
}

interface Options {
  url: string
  log: Log
  onMessage(channel: string, text: string): void
  /** At the first connection and at each new one: nothing is subscribed then. */
  onReady(): Promise<void>
}

/** After a failure Redis is left alone this long, so that nothing piles up for one that hangs. */
const restMs = 1000

const settings = {
  connectTimeout: 5000,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResubscribe: false,
  retryStrategy: (attempt: number) => Math.min(attempt * 200, 5000),
}

export const openChannels = async ({ url, log, onMessage, onReady }: Options): Promise<Channels> => {
  const { Redis } = await import('ioredis')
  const publisher = new Redis(url, { ...settings, connectionName: 'chancery-events', commandTimeout: restMs })
  const subscriber = new Redis(url, { ...settings, connectionName: 'chancery-sockets' })
  let restUntilMs = 0
  let isDown = false

  for (const connection of [publisher, subscriber]) {
    // Without a listener the client would write to the console.
    connection.on('error', (problem) => {
      if (!isDown) log.warn({ err: problem }, 'Redis does not answer: events stay on the node where they happen.')
      isDown = true
    })
    connection.on('ready', () => {
      if (isDown) log.info('Redis answers again: events reach every node.')
      isDown = false
    })
  }
  subscriber.on('message', onMessage)
  subscriber.on('ready', () => void onReady())

  return {
    send: async (channel, text) => {
      if (performance.now() < restUntilMs) return 0
      try {
        return await publisher.publish(channel, text)
      } catch {
        restUntilMs = performance.now() + restMs
        return 0
      }
    },
    subscribe: (channels) =>
      subscriber.subscribe(...channels).then(
        () => true,
        () => false,
      ),
    unsubscribe: (channel) => void subscriber.unsubscribe(channel).catch(() => undefined),
    isReady: () => publisher.status === 'ready',
    close: () => {
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}

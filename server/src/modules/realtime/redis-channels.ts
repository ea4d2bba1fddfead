/**
 * Publish and subscribe between nodes over Redis. Nothing here rejects or waits long: messages are lost while Redis is
 * down, and `onReady` is called when it is back.
 */
import type { Log } from '#kernel/log.ts'
import type { Channels, ChannelUse } from '#kernel/process/machine.ts'

interface Options extends ChannelUse {
  url: string
  log: Log
}

/** After a failure nothing is sent for this long, so that nothing piles up while Redis hangs. */
const pauseMs = 1000

const settings = {
  connectTimeout: 5000,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResubscribe: false,
  retryStrategy: (attempt: number) => Math.min(attempt * 200, 5000),
}

export const openChannels = async ({ url, log, onMessage, onReady }: Options): Promise<Channels> => {
  const { Redis } = await import('ioredis')
  const publisher = new Redis(url, { ...settings, connectionName: 'chancery-events', commandTimeout: pauseMs })
  const subscriber = new Redis(url, { ...settings, connectionName: 'chancery-sockets' })
  let pausedUntilMs = 0
  let isDown = false

  for (const connection of [publisher, subscriber]) {
    // Without a listener the client would write to the console.
    connection.on('error', (problem) => {
      if (!isDown)
        log.warn(
          { err: problem },
          'Redis does not answer. Events reach only the sockets of the node where they happen.',
        )
      isDown = true
    })
    connection.on('ready', () => {
      if (isDown) log.info('Redis is back. Events reach every node.')
      isDown = false
    })
  }
  const isReady = (): boolean => publisher.status === 'ready'
  subscriber.on('message', onMessage)
  subscriber.on('ready', () => void onReady())

  return {
    send: async (channel, text) => {
      // Not a failure that pauses: what is sent right after the connection is there must arrive.
      if (!isReady() || performance.now() < pausedUntilMs) return 0
      try {
        return await publisher.publish(channel, text)
      } catch {
        pausedUntilMs = performance.now() + pauseMs
        return 0
      }
    },
    subscribe: (channels) =>
      subscriber.subscribe(...channels).then(
        () => true,
        () => false,
      ),
    unsubscribe: (channel) => void subscriber.unsubscribe(channel).catch(() => undefined),
    isReady,
    close: () => {
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}

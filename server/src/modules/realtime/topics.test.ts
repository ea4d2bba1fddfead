import { topicChanged } from '@chancery/contract/chats/events.ts'
import { describe, expect, it } from 'vitest'
import type { Actor } from '#kernel/http/actor.ts'
import type { Connection } from './connections.ts'
import { createTopics } from './topics.ts'

const actor = {} as Actor
const signedIn = async () => actor
const connect = () => {
  const sent: string[] = []
  const socket = { connected: true, conn: { write: (packet: string) => sent.push(packet) } }
  return { sent, connection: { socket, waiting: 0, watching: new Map() } as unknown as Connection }
}

describe('a watched topic', () => {
  it('tells the sockets that may watch it, until they stop or disconnect', async () => {
    const topics = createTopics()
    topics.register('runs', async (_, id) => id !== 'foreign')
    const [one, other] = [connect(), connect()]
    for (const { connection } of [one, other])
      expect(await topics.watch(connection, signedIn, { topic: 'runs', id: 'a' })).toBe(true)
    expect(await topics.watch(one.connection, signedIn, { topic: 'runs', id: 'foreign' })).toBe(false)
    expect(topics.watched('runs')).toEqual(['a'])

    for (const id of ['a', 'foreign', 'b']) topics.announce('runs', id)
    expect(one.sent).toHaveLength(1)
    expect(JSON.parse(one.sent[0]?.slice(1) ?? '')[1].data).toEqual({
      type: topicChanged,
      data: { topic: 'runs', id: 'a' },
    })
    topics.unwatch(one.connection, { topic: 'runs', id: 'a' })
    topics.announce('runs', 'a')
    expect([one.sent.length, other.sent.length]).toEqual([1, 2])
    topics.leave(other.connection)
    expect(topics.isWatched('runs')).toBe(false)
  })

  it('is refused to a caller who is signed out, an unknown topic, bad requests, and one too many', async () => {
    const topics = createTopics()
    topics.register('runs', async () => true)
    const { connection } = connect()
    expect(await topics.watch(connection, async () => undefined, { topic: 'runs', id: 'a' })).toBe(false)
    for (const request of [undefined, null, 'runs', {}, { topic: 'chats', id: 'a' }, { topic: 'runs', id: 1 }])
      expect(await topics.watch(connection, signedIn, request)).toBe(false)
    const replies = []
    for (let id = 0; id < 21; id += 1)
      replies.push(await topics.watch(connection, signedIn, { topic: 'runs', id: String(id) }))
    expect(replies.filter(Boolean)).toHaveLength(20)
  })

  it.each(['leaves', 'stops watching'])(
    'is not watched by a socket that %s while it is authenticated or checked',
    async (how) => {
      const topics = createTopics()
      const request = { topic: 'runs', id: 'a' }
      const { promise: isAllowed, resolve: allow } = Promise.withResolvers<boolean>()
      topics.register('runs', () => isAllowed)
      const { promise: authenticated, resolve: authenticate } = Promise.withResolvers<Actor>()
      const stop = (connection: Connection) =>
        how === 'leaves' ? topics.leave(connection) : topics.unwatch(connection, request)
      const [early, late] = [connect().connection, connect().connection]
      const watching = [topics.watch(early, () => authenticated, request), topics.watch(late, signedIn, request)]
      stop(early)
      authenticate(actor)
      await authenticated
      stop(late)
      allow(true)
      expect([await Promise.all(watching), topics.isWatched('runs')]).toEqual([[false, false], false])
    },
  )

  it('is given up when the check fails, and when the caller has lost access since', async () => {
    const topics = createTopics()
    const request = { topic: 'runs', id: 'a' }
    topics.register('runs', async () => true)
    const { connection } = connect()
    const failing = () => Promise.reject(new Error('The database is down.'))
    await expect(topics.watch(connection, failing, request)).rejects.toThrow('down')
    expect(connection.watching.size).toBe(0)
    expect(await topics.watch(connection, signedIn, request)).toBe(true)
    expect(await topics.watch(connection, async () => undefined, request)).toBe(false)
    expect([connection.watching.size, topics.isWatched('runs')]).toEqual([0, false])
  })
})

import { topicChanged } from '@chancery/contract/chat-events.ts'
import { describe, expect, it } from 'vitest'
import type { Actor } from '#kernel/http/actor.ts'
import type { Connection } from './connections.ts'
import { createTopics } from './topics.ts'

const actor = {} as Actor
const connect = () => {
  const sent: string[] = []
  const socket = { conn: { write: (packet: string) => sent.push(packet) } }
  return { sent, connection: { socket, waiting: 0, watching: new Map() } as unknown as Connection }
}

describe('a watched topic', () => {
  it('tells the sockets that may watch it, until they stop or disconnect', async () => {
    const topics = createTopics()
    topics.register('runs', async (_, id) => id !== 'foreign')
    const [one, other] = [connect(), connect()]
    for (const { connection } of [one, other])
      expect(await topics.watch(connection, actor, { topic: 'runs', id: 'a' })).toBe(true)
    expect(await topics.watch(one.connection, actor, { topic: 'runs', id: 'foreign' })).toBe(false)
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
    expect(await topics.watch(connection, undefined, { topic: 'runs', id: 'a' })).toBe(false)
    for (const request of [undefined, null, 'runs', {}, { topic: 'chats', id: 'a' }, { topic: 'runs', id: 1 }])
      expect(await topics.watch(connection, actor, request)).toBe(false)
    const replies = []
    for (let id = 0; id < 21; id += 1)
      replies.push(await topics.watch(connection, actor, { topic: 'runs', id: String(id) }))
    expect(replies.filter(Boolean)).toHaveLength(20)
  })

  it('is not watched by a socket that left while it was being checked', async () => {
    const topics = createTopics()
    const { promise: isAllowed, resolve: allow } = Promise.withResolvers<boolean>()
    topics.register('runs', () => isAllowed)
    const { connection } = connect()
    const watching = topics.watch(connection, actor, { topic: 'runs', id: 'a' })
    topics.leave(connection)
    allow(true)
    expect([await watching, topics.isWatched('runs')]).toEqual([false, false])
  })
})

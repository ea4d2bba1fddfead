import { socketEvent } from '@chancery/contract/chats/events.ts'
import { Redis } from 'ioredis'
import type { Socket } from 'socket.io-client'
import { afterAll, expect, it, vi } from 'vitest'
import { systemIds } from '#kernel/ids.ts'
import { testApp } from '#test/harness/app.ts'
import { startSocketNode } from '#test/harness/sockets.ts'
import { startRedis } from '#test/peers/redis.ts'
import { createRemoteQuestions, type LocalSockets } from './remote-questions.ts'

const redis = await startRedis()
afterAll(() => redis.stop())
const app = await testApp()
const [left, right] = [
  await startSocketNode(app, { REDIS_URL: redis.url }),
  await startSocketNode(app, { REDIS_URL: redis.url }),
]

const soon = { timeout: 10_000, interval: 20 }
const about = (data: unknown) => ({ chat_id: 'c', message_id: 'm', data: { type: 'status', data } })
const hearing = (socket: Socket): unknown[] => {
  const heard: unknown[] = []
  socket.on(socketEvent, (event) => heard.push(event))
  return heard
}
/** Both nodes are connected to Redis and to each other once an event crosses. */
const crossing = async (userId: string, heard: unknown[]): Promise<void> => {
  await vi.waitFor(() => {
    left.realtime.emit(userId, about('test'))
    expect(heard.length).toBeGreaterThan(0)
  }, soon)
  // Events arrive in order, so no earlier one comes after this.
  left.realtime.emit(userId, about('the last test'))
  await vi.waitFor(() => expect(heard.at(-1)).toEqual(about('the last test')), soon)
  heard.length = 0
}

it('brings events to tabs on every node, once and in order, and to nobody else', async () => {
  const [ana, bob] = await Promise.all([app.user(), app.user()])
  const [near, far] = [await left.connectAs(ana), await right.connectAs(ana)]
  const [atNear, atFar, atBob] = [hearing(near), hearing(far), hearing(await right.connectAs(bob))]
  await crossing(ana.id, atFar)
  atNear.length = 0
  const events = Array.from({ length: 200 }, (_, seq) => about({ seq }))
  for (const event of events) left.realtime.emit(ana.id, event)
  await vi.waitFor(() => expect([atNear, atFar]).toEqual([events, events]), soon)
  expect(atBob).toEqual([])
})

it('knows after a moment that nobody listens anywhere, and learns at once when somebody does', async () => {
  const ana = await app.user()
  await vi.waitFor(() => {
    left.realtime.emit(ana.id, about('anybody?'))
    expect(left.realtime.isListening(ana.id)).toBe(false)
  }, soon)
  const heard = hearing(await right.connectAs(ana))
  await vi.waitFor(() => expect(left.realtime.isListening(ana.id)).toBe(true), soon)
  left.realtime.emit(ana.id, about('there you are'))
  await vi.waitFor(() => expect(heard).toEqual([about('there you are')]), soon)
})

it("asks a socket on another node, and only the user's own", async () => {
  const [ana, bob] = await Promise.all([app.user(), app.user()])
  const far = await right.connect({ auth: { token: ana.token, session_id: 'far-away' } })
  const foreign = await right.connect({ auth: { token: bob.token, session_id: 'of-bob' } })
  const heard = hearing(far)
  await crossing(ana.id, heard)
  far.on(socketEvent, (_event, acknowledge) => acknowledge?.({ yes: true }))
  const stolen = hearing(foreign)
  const ask = (sessionId: string) =>
    left.realtime.call({ userId: ana.id, sessionId, event: about('?'), timeoutMs: 5000 })
  expect(await ask('far-away')).toEqual({ yes: true })
  expect(await ask(far.id ?? '')).toEqual({ yes: true })
  for (const sessionId of ['of-bob', foreign.id ?? '', 'nobody'])
    await expect(ask(sessionId)).rejects.toMatchObject({ code: 'event_call_failed', message: /not connected/ })
  expect(stolen).toEqual([])
})

it('fails a question at once when the far browser leaves, and at its time limit when it is silent', async () => {
  const ana = await app.user()
  const far = await right.connectAs(ana)
  await crossing(ana.id, hearing(far))
  const question = { userId: ana.id, sessionId: far.id ?? '', event: about('?') }
  await expect(left.realtime.call({ ...question, timeoutMs: 100 })).rejects.toThrow("didn't respond")
  const asked = left.realtime.call(question)
  const refused = expect(asked).rejects.toThrow('not connected')
  far.disconnect()
  await refused
})

it('survives messages that it cannot read, such as those of another version', async () => {
  const ana = await app.user()
  const heard = hearing(await right.connectAs(ana))
  await crossing(ana.id, heard)
  const channel = `chancery:sockets:user:${ana.id}`
  const other = new Redis(redis.url)
  for (const message of ['node question {', 'node question null', 'node sing la', 'node cancel ?1', 'node', ''])
    await other.publish(channel, message)
  other.disconnect()
  left.realtime.emit(ana.id, about('still here'))
  await vi.waitFor(() => expect(heard).toEqual([about('still here')]), soon)
})

it('gives a question up whose node says nothing any more, and none that its node still has or that can not be checked', async () => {
  /** The first checks are answered; after the tenth comes the answer, if the node lives. */
  const remoteThat = (isAlive: boolean, answersChecks: number) => {
    let checks = 0
    const questions = createRemoteQuestions({
      ids: systemIds,
      local: {} as LocalSockets,
      checkEveryMs: 5,
      sendToNode: async () => 1,
      sendToUser: async (_userId, text) => {
        const id = text.replace('cancel ?', '')
        if (id === text) return 1
        checks += 1
        if (checks <= answersChecks) questions.receiveReply(JSON.stringify({ id, state: 'open' }))
        if (isAlive && checks === 10) questions.receiveReply(JSON.stringify({ id, state: 'answer', answer: 7 }))
        return 1
      },
    })
    return questions
  }
  const question = { userId: 'ana', sessionId: 'tab', event: about('?'), timeoutMs: 600_000 }
  await expect(remoteThat(false, 1).ask(question)).rejects.toThrow('not connected')
  expect(await remoteThat(true, 10).ask(question)).toBe(7)
  // A node of an older version does not know checks.
  expect(await remoteThat(true, 0).ask(question)).toBe(7)
})

it('brings an answer that got lost on its way to the next check', async () => {
  const local = { isHere: () => true, ask: async () => 'yes' } as unknown as LocalSockets
  let [sent, delivered] = [0, 0]
  const far = createRemoteQuestions({
    ids: systemIds,
    local,
    sendToUser: async () => 1,
    sendToNode: async (_to, text) => {
      sent += 1
      if (sent <= 2) return 0
      delivered += 1
      near.receiveReply(text)
      return 1
    },
  })
  const near = createRemoteQuestions({
    ids: systemIds,
    local,
    checkEveryMs: 5,
    sendToUser: async (_userId, text) => {
      const [word = '', ...rest] = text.split(' ')
      far[word === 'question' ? 'receive' : 'cancel']('near', rest.join(' '))
      return 1
    },
    sendToNode: async () => 1,
  })
  expect(await near.ask({ userId: 'ana', sessionId: 'tab', event: about('?'), timeoutMs: 500 })).toBe('yes')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(delivered).toBe(1)
})

it('drops a question to another node whose asker has lost interest, at whatever moment', async () => {
  const ana = await app.user()
  const far = await right.connectAs(ana)
  await crossing(ana.id, hearing(far))
  for (const wait of [() => undefined, () => new Promise((resolve) => setTimeout(resolve, 100))]) {
    const interest = new AbortController()
    const question = { userId: ana.id, sessionId: far.id ?? '', event: about('?'), signal: interest.signal }
    const dropped = expect(left.realtime.call(question)).rejects.toThrow('stopped')
    await wait()
    interest.abort(new Error('stopped'))
    await dropped
  }
})

it('goes on with its own sockets while Redis hangs, and with all of them afterwards', async () => {
  const ana = await app.user()
  const [near, far] = [await left.connectAs(ana), await right.connectAs(ana)]
  const [atNear, atFar] = [hearing(near), hearing(far)]
  await crossing(ana.id, atFar)
  atNear.length = 0
  await redis.freeze()
  for (let count = 0; count < 50; count += 1) left.realtime.emit(ana.id, about(count))
  await vi.waitFor(() => expect(atNear).toHaveLength(50), soon)
  redis.thaw()
  await vi.waitFor(() => {
    left.realtime.emit(ana.id, about('again'))
    expect(atFar).toContainEqual(about('again'))
  }, soon)
})

import { questionClosed, socketEvent } from '@chancery/contract/chats/events.ts'
import type { Socket } from 'socket.io-client'
import { expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { startSocketNode } from '#test/harness/sockets.ts'

const app = await testApp()
const node = await startSocketNode(app)
const { realtime } = node

const about = (data: unknown) => ({ chat_id: 'c', message_id: 'm', data: { type: 'status', data } })
const hearing = (socket: Socket): unknown[] => {
  const heard: unknown[] = []
  socket.on(socketEvent, (event) => heard.push(event))
  return heard
}
const answering = (socket: Socket, answer: unknown): unknown[] => {
  const asked: unknown[] = []
  socket.on(socketEvent, (event, acknowledge) => {
    asked.push(event)
    acknowledge?.(answer)
  })
  return asked
}
const endOf = (socket: Socket) => new Promise((resolve) => socket.once('disconnect', resolve))

/** The client's side of the line stops reading, as a sleeping laptop does. */
const stopReading = (socket: Socket): void => {
  const { ws } = socket.io.engine.transport as unknown as { ws: { pause(): void } }
  ws.pause()
}

it('brings an event to every tab of its user in order, and to nobody else', async () => {
  const [ana, bob] = await Promise.all([app.user(), app.user()])
  const tabs = await Promise.all([node.connectAs(ana), node.connectAs(ana)])
  const heard = tabs.map(hearing)
  const foreign = hearing(await node.connectAs(bob))
  const events = Array.from({ length: 300 }, (_, seq) => about({ seq, text: 'naïve 🙂 "quotes"\n' }))
  for (const event of events) realtime.emit(ana.id, event)
  await vi.waitFor(() => expect(heard).toEqual([events, events]), { timeout: 5000 })
  expect(foreign).toEqual([])
})

it('knows whether anybody listens', async () => {
  const ana = await app.user()
  expect(realtime.isListening(ana.id)).toBe(false)
  realtime.emit(ana.id, about('into the void'))
  const socket = await node.connectAs(ana)
  expect(realtime.isListening(ana.id)).toBe(true)
  socket.disconnect()
  await vi.waitFor(() => expect(realtime.isListening(ana.id)).toBe(false), { timeout: 5000 })
})

it('never throws, whatever it is given to send', async () => {
  const ana = await app.user()
  const heard = hearing(await node.connectAs(ana))
  const endless: Record<string, unknown> = {}
  endless.self = endless
  realtime.emit(ana.id, about(endless))
  realtime.emit(ana.id, about('fine'))
  await vi.waitFor(() => expect(heard).toEqual([about('fine')]), { timeout: 5000 })
})

it('asks the one socket that is named, by its own name or by the id it was given', async () => {
  const ana = await app.user()
  const named = await node.connect({ auth: { token: ana.token, session_id: 'a-uuid-of-mine' } })
  const other = await node.connectAs(ana)
  const asked = [answering(named, { value: 1 }), answering(other, { value: 2 })]
  const ask = (sessionId: string) => realtime.call({ userId: ana.id, sessionId, event: about('?') })
  expect(await ask('a-uuid-of-mine')).toEqual({ value: 1 })
  expect(await ask(other.id ?? '')).toEqual({ value: 2 })
  expect(asked).toMatchObject([[about('?')], [about('?')]])
})

it("A33: another user's session_id reaches nothing, and fails at once", async () => {
  const [ana, bob] = await Promise.all([app.user(), app.user()])
  const victim = await node.connect({ auth: { token: bob.token, session_id: 'session-of-bob' } })
  const asked = answering(victim, 'stolen')
  for (const sessionId of ['session-of-bob', victim.id ?? '', '', bob.id])
    await expect(realtime.call({ userId: ana.id, sessionId, event: about('run') })).rejects.toMatchObject({
      code: 'event_call_failed',
    })
  expect(await realtime.call({ userId: bob.id, sessionId: 'session-of-bob', event: about('own') })).toBe('stolen')
  expect(asked).toMatchObject([about('own')])
})

it("A33: calling oneself by another's session_id takes nothing from them", async () => {
  const [ana, bob] = await Promise.all([app.user(), app.user()])
  const victim = await node.connect({ auth: { token: bob.token, session_id: 'shared-name' } })
  answering(victim, 'bob')
  const imitator = await node.connect({ auth: { token: ana.token, session_id: 'shared-name' } })
  answering(imitator, 'ana')
  expect(await realtime.call({ userId: bob.id, sessionId: 'shared-name', event: about('?') })).toBe('bob')
  expect(await realtime.call({ userId: ana.id, sessionId: 'shared-name', event: about('?') })).toBe('ana')
})

it('gives up at once when the asked browser leaves or the asker loses interest', async () => {
  const ana = await app.user()
  const [leaver, silent] = [await node.connectAs(ana), await node.connectAs(ana)]
  const asked = realtime.call({ userId: ana.id, sessionId: leaver.id ?? '', event: about('?') })
  const interest = new AbortController()
  const dropped = realtime.call({
    userId: ana.id,
    sessionId: silent.id ?? '',
    event: about('?'),
    signal: interest.signal,
  })
  const [left, stopped] = [expect(asked).rejects, expect(dropped).rejects]
  leaver.disconnect()
  interest.abort(new Error('stopped'))
  await Promise.all([left.toMatchObject({ code: 'event_call_failed' }), stopped.toThrow('stopped')])
})

it('tells the asked browser, and no other tab, that nobody waits for its answer any more', async () => {
  const ana = await app.user()
  const [silent, other] = [await node.connectAs(ana), await node.connectAs(ana)]
  const heard = [hearing(silent), hearing(other)]
  const interest = new AbortController()
  const question = { userId: ana.id, sessionId: silent.id ?? '', event: about('?') }
  const asked = [realtime.call({ ...question, signal: interest.signal }), realtime.call({ ...question, timeoutMs: 50 })]
  interest.abort(new Error('stopped'))
  await Promise.allSettled(asked)
  await vi.waitFor(() => expect(heard[0]).toHaveLength(4), { timeout: 5000 })
  const events = heard[0] as { question_id?: string; data: { type: string; data: unknown } }[]
  const closed = events.filter(({ data }) => data.type === questionClosed).map(({ data }) => data.data)
  expect(closed).toEqual(events.flatMap(({ question_id: id }) => (id === undefined ? [] : [{ id }])))
  expect(heard[1]).toEqual([])
})

it('A35: questions that are never answered end at their time limit and make room again', async () => {
  const ana = await app.user()
  const silent = await node.connectAs(ana)
  const question = { userId: ana.id, sessionId: silent.id ?? '', event: about('?') }
  for (const _round of [1, 2]) {
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, () => realtime.call({ ...question, timeoutMs: 200 })),
    )
    const reasons = results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'answered'))
    expect(reasons.filter((reason) => /too many/.test(reason))).toHaveLength(8)
    expect(reasons.filter((reason) => /didn't respond/.test(reason))).toHaveLength(32)
  }
  answering(silent, 'awake')
  expect(await realtime.call(question)).toBe('awake')
})

it('A35: a packet of more than a megabyte ends the connection, and one below does not', async () => {
  const ana = await app.user()
  const socket = await node.connectAs(ana)
  await socket.emitWithAck('heartbeat', 'x'.repeat(900_000))
  const ended = endOf(socket)
  socket.emit('heartbeat', 'x'.repeat(1_000_001))
  await ended
})

it('A35: binary packets end the connection', async () => {
  const ana = await app.user()
  const socket = await node.connectAs(ana)
  const ended = endOf(socket)
  socket.emit('heartbeat', new Uint8Array(10))
  await ended
})

it.each(['ping', 'pong'] as const)('A35: three hundred frames that %s end the connection, ten do not', async (kind) => {
  const ana = await app.user()
  for (const transports of [['websocket'], ['polling', 'websocket']]) {
    const socket = await node.connect({ auth: { token: ana.token }, transports })
    await vi.waitFor(() => expect(socket.io.engine.transport.name).toBe('websocket'), { timeout: 10_000 })
    const { ws } = socket.io.engine.transport as unknown as { ws: Record<typeof kind, () => void> }
    for (let sent = 0; sent < 10; sent += 1) ws[kind]()
    await socket.emitWithAck('heartbeat')
    const ended = endOf(socket)
    for (let sent = 0; sent < 300; sent += 1) ws[kind]()
    await ended
  }
})

it('A35: and so they do where it began by polling, before and after it has become a websocket', async () => {
  const ana = await app.user()
  for (const transports of [['polling'], ['polling', 'websocket']]) {
    const socket = await node.connect({ auth: { token: ana.token }, transports })
    await vi.waitFor(() => expect(socket.io.engine.transport.name).toBe(transports.at(-1)), { timeout: 10_000 })
    const ended = endOf(socket)
    socket.emit('heartbeat', new Uint8Array(10))
    await ended
  }
})

it('A35: ten thousand events in a row end the connection, a hundred do not', async () => {
  const ana = await app.user()
  const socket = await node.connectAs(ana)
  for (let count = 0; count < 100; count += 1) socket.emit('heartbeat')
  expect(await socket.emitWithAck('user-join')).toMatchObject({ id: ana.id })
  const ended = endOf(socket)
  for (let count = 0; count < 10_000; count += 1) socket.emit('anything', count)
  await ended
  expect((await node.connectAs(ana)).connected).toBe(true)
})

it('A35: of too many sockets of one user the oldest go, and nobody else is touched', async () => {
  const [ana, bob] = await Promise.all([app.user(), app.user()])
  const bystander = await node.connectAs(bob)
  const sockets: Socket[] = []
  for (let count = 0; count < 60; count += 1) sockets.push(await node.connectAs(ana))
  await vi.waitFor(() => expect(sockets.filter(({ connected }) => connected)).toEqual(sockets.slice(10)), {
    timeout: 5000,
  })
  expect(bystander.connected).toBe(true)
})

it('keeps nothing for a client that does not read: it is cut off and may come back', async () => {
  const [ana, bob] = await Promise.all([app.user(), app.user()])
  const [asleep, awake] = [await node.connectAs(ana), await node.connectAs(bob)]
  const heard = hearing(awake)
  stopReading(asleep)
  const chunk = about('x'.repeat(100_000))
  let sent = 0
  while (realtime.isListening(ana.id) && sent < 2000) {
    realtime.emit(ana.id, chunk)
    sent += 1
    if (sent % 10 === 0) await new Promise(setImmediate)
  }
  expect(sent).toBeLessThan(2000)
  realtime.emit(bob.id, about('still here'))
  await vi.waitFor(() => expect(heard).toEqual([about('still here')]), { timeout: 5000 })
  expect((await node.connectAs(ana)).connected).toBe(true)
})

it('A34: hears of a sign-out on another node by signal, without having to look', async () => {
  const ana = await app.user()
  const listener = await startSocketNode(app, {}, { hasTimer: false })
  const [socket, bystander] = [await listener.connectAs(ana), await listener.connectAs(await app.user())]
  const ended = endOf(socket)
  await ana.post('/api/auth/logout')
  expect(await ended).toBe('io server disconnect')
  expect(bystander.connected).toBe(true)
  bystander.disconnect()
})

it('does not let sockets hold up the stop, not even those that no longer read', async () => {
  const ana = await app.user()
  const last = await startSocketNode(app)
  const [polite, asleep] = [await last.connectAs(ana), await last.connectAs(ana)]
  await last.connect({ auth: { token: ana.token }, transports: ['polling'] })
  stopReading(asleep)
  const call = last.realtime.call({ userId: ana.id, sessionId: polite.id ?? '', event: about('?') })
  const ended = endOf(polite)
  const refused = expect(call).rejects.toMatchObject({ code: 'event_call_failed' })
  await last.stop()
  await Promise.all([ended, refused])
})

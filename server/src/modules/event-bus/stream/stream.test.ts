import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { instanceScope } from '#kernel/http/scope.ts'
import { testApp } from '#test/harness/app.ts'
import { ingest, ingestKey, openStream } from '#test/harness/bus.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { until } from '#test/kernel/until.ts'

const env = { SVC_EVENT_API_KEY: ingestKey, METRICS_TOKEN: 'a token for scraping' }
const app = await testApp({ env })
const another = await testApp({ env, databaseUrl: app.databaseUrl, readerPatienceMs: 300 })
const bus = app.ports.eventBus
const ana = await app.user()

const newEvent = (more: object = {}) => ({
  scopeId: instanceScope,
  eventType: 'tick',
  source: 'test',
  userId: null,
  payload: {},
  ...more,
})

describe('the stream', () => {
  it('sends events live, with their position as id, from this node and from another', async () => {
    const stream = await openStream(app, ana.token)
    expect(stream.reply.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const replies = [await ingest(app, { payload: { n: 1 } }), await ingest(another, { payload: { n: 2 } })]
    await stream.reaches(2)
    expect(stream.frames.map(({ event }) => event)).toEqual(['bus_event', 'bus_event'])
    const sent = stream.frames.map(({ data }) => JSON.parse(data))
    expect(sent.map(({ event_id }) => event_id)).toEqual(replies.map(({ body }) => body.event_id))
    expect(sent.map(({ seq }) => seq)).toEqual(stream.ids())
    expect(Object.keys(sent[0]).sort()).toEqual(
      [
        'causation_run_id',
        'correlation_id',
        'event_id',
        'event_type',
        'payload',
        'published_at',
        'seq',
        'source',
        'user_id',
      ].sort(),
    )
    await stream.close()
  })

  it('resumes after the last id, and filters like the list', async () => {
    const run = randomUUID()
    const send = (event_type: string, source = 'a') => ingest(app, { event_type, source, correlation_id: run })
    await send('one')
    await send('two', 'b')
    await send('two')
    const all = await openStream(app, ana.token, { query: `?after=0&correlation_id=${run}` })
    await all.reaches(3)
    const [first = 0, second = 0, third = 0] = all.ids()
    const resumed = await openStream(app, ana.token, { query: `?after=0&correlation_id=${run}`, lastEventId: first })
    await resumed.reaches(2)
    expect(resumed.ids()).toEqual([second, third])
    const filtered = await openStream(app, ana.token, {
      query: `?after=0&correlation_id=${run}&event_type=two&source=b`,
    })
    await send('two', 'b')
    await filtered.reaches(2)
    await all.reaches(4)
    expect(filtered.ids()).toEqual([second, all.ids()[3]])
    for (const stream of [all, resumed, filtered]) await stream.close()
  })

  it('goes on from now after a position that there is not (yet), as after a restore of an older backup', async () => {
    const run = randomUUID()
    const streams = [
      await openStream(app, ana.token, { query: `?correlation_id=${run}`, lastEventId: 999_999_999_999 }),
      await openStream(app, ana.token, { query: `?correlation_id=${run}&after=9007199254740991` }),
    ]
    await ingest(app, { correlation_id: run })
    for (const stream of streams) {
      await stream.reaches(1)
      await stream.close()
    }
  })

  it("shows a scope's events to its people alone (P6)", async () => {
    const [boss, member] = [await app.user({ org: 'streaming' }), await app.user({ org: 'streaming' })]
    const streams = {
      ana: await openStream(app, ana.token),
      boss: await openStream(another, boss.token),
      member: await openStream(app, member.token),
    }
    const { body: key } = await boss.post('/api/v1/api-keys', { name: 'k' })
    const own = await ingest(app, {}, { 'x-api-key': key.key })
    const shared = await ingest(app)
    for (const [name, stream] of Object.entries(streams)) await stream.reaches(name === 'ana' ? 1 : 2)
    const seen = (stream: typeof streams.ana) => stream.frames.map(({ data }) => JSON.parse(data).event_id)
    expect(seen(streams.ana)).toEqual([shared.body.event_id])
    expect(seen(streams.boss)).toEqual([own.body.event_id, shared.body.event_id])
    expect(seen(streams.member)).toEqual([own.body.event_id, shared.body.event_id])
    for (const stream of Object.values(streams)) await stream.close()
  })

  it('begins at once while a transaction keeps the table locked: only events wait, and a metric says for how long', async () => {
    const waited = async () => {
      const { text } = await another.anonymous.get('/metrics', { authorization: `Bearer ${env.METRICS_TOKEN}` })
      return Number(/^chancery_event_stream_wait_seconds (.*)$/m.exec(text)?.[1])
    }
    const holder = await app.db.startTransaction().execute()
    await sql`lock table events in access exclusive mode`.execute(holder)
    const stream = await openStream(another, ana.token)
    expect(stream.reply.status).toBe(200)
    await until(() => stream.text().startsWith(': open\n\n'), 'a first comment')
    await until(async () => (await waited()) > 0.1, 'a wait in the metric')
    const second = await openStream(another, ana.token, { query: '?after=0' })
    const run = randomUUID()
    const published = ingest(app, { correlation_id: run })
    expect(stream.frames).toEqual([])
    await holder.commit().execute()
    await published
    for (const one of [stream, second])
      await until(() => one.frames.some(({ data }) => JSON.parse(data).correlation_id === run), 'the event')
    expect(stream.frames).toHaveLength(1)
    expect(second.ids()).toEqual(second.ids().toSorted((one, other) => one - other))
    for (const one of [stream, second]) await one.close()
    await until(async () => (await waited()) === 0, 'the end of the wait')
  })

  it('waits for an event that is not committed yet before it sends a later one', async () => {
    const stream = await openStream(app, ana.token)
    const run = randomUUID()
    const drawn = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const slow = app.db.transaction().execute(async (tx) => {
      await bus.publish(tx, [newEvent({ correlationId: run })])
      drawn.resolve()
      await mayCommit.promise
    })
    await drawn.promise
    const { body: later } = await ingest(app, { correlation_id: run })
    const joined = await Promise.race([openStream(app, ana.token, { query: `?after=${stream.ids().at(-1) ?? 0}` })])
    expect(stream.frames).toEqual([])
    mayCommit.resolve()
    await slow
    bus.wake()
    await stream.reaches(2)
    const ids = stream.frames.map(({ data }) => JSON.parse(data).event_id)
    expect(ids[1]).toBe(later.event_id)
    expect(stream.ids()).toEqual(stream.ids().toSorted((one, other) => one - other))
    for (const one of [stream, joined]) await one.close()
  })

  it('waits also for one whose transaction began after that of the later event', async () => {
    const stream = await openStream(app, ana.token)
    const [older, newer] = [await app.db.startTransaction().execute(), await app.db.startTransaction().execute()]
    await sql`select pg_current_xact_id()`.execute(older)
    await bus.publish(newer, [newEvent({ correlationId: 'first' })])
    await bus.publish(older, [newEvent({ correlationId: 'second' })])
    await older.commit().execute()
    bus.wake()
    // Time enough to be wrong.
    await sleep(100)
    await newer.commit().execute()
    bus.wake()
    await stream.reaches(2)
    expect(stream.frames.map(({ data }) => JSON.parse(data).correlation_id)).toEqual(['first', 'second'])
    await stream.close()
  })

  it('does not wait for transactions in other databases of the server', async () => {
    const elsewhere = await cloneDatabase()
    const client = new pg.Client({ connectionString: elsewhere.url })
    await client.connect()
    await client.query('begin; select pg_current_xact_id()')
    const stream = await openStream(app, ana.token)
    await app.db
      .transaction()
      .execute(async (tx) => {
        await bus.publish(tx, [newEvent({ correlationId: 'rolled back' })])
        throw new Error('a gap')
      })
      .catch(() => undefined)
    await ingest(app, { correlation_id: 'after the gap' })
    await stream.reaches(1)
    await stream.close()
    await client.end()
    await elsewhere.drop()
  })

  it('loses and repeats nothing for a client that reconnects while many write', { timeout: 150_000 }, async () => {
    const run = randomUUID()
    const total = 300
    let isWriting = true
    const write = async (number: number): Promise<void> => {
      for (let count = 0; count < total / 6; count += 1) {
        const publish = app.db.transaction().execute(async (tx) => {
          await bus.publish(tx, [newEvent({ correlationId: run }), newEvent({ correlationId: 'noise' })])
          if ((count + number) % 5 === 0) throw new Error('rolled back')
        })
        await publish.catch(() => undefined)
        bus.wake()
      }
    }
    const writing = Promise.all(Array.from({ length: 6 }, (_, number) => write(number))).then(() => {
      isWriting = false
    })
    const seen: number[] = []
    while (isWriting) {
      const stream = await openStream(seen.length % 2 === 0 ? app : another, ana.token, {
        query: `?correlation_id=${run}`,
        lastEventId: seen.at(-1) ?? 0,
      })
      await until(() => stream.frames.length > 20 || !isWriting, 'some events')
      seen.push(...stream.ids())
      await stream.close()
    }
    await writing
    const rows = await app.db
      .selectFrom('events')
      .select('seq')
      .where('correlationId', '=', run)
      .orderBy('seq')
      .execute()
    const last = await openStream(app, ana.token, { query: `?correlation_id=${run}`, lastEventId: seen.at(-1) ?? 0 })
    await until(() => seen.length + last.frames.length >= rows.length, 'the rest of the events')
    seen.push(...last.ids())
    await last.close()
    expect(rows).toHaveLength(total - total / 5)
    expect(seen).toEqual(rows.map(({ seq }) => seq))
  })

  it('ends when its credential is revoked', async () => {
    const bob = await app.user()
    const stream = await openStream(app, bob.token)
    await bob.post('/api/auth/logout')
    await stream.ended
  })

  /** A client that stops reading after the first bytes. */
  const openDeaf = async (node: typeof app) => {
    const url = new URL(node.url)
    const socket = connect(Number(url.port), url.hostname)
    const head = [`Host: ${url.host}`, `Authorization: Bearer ${ana.token}`, 'Connection: close']
    socket.write(`GET /api/v1/events/stream HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
    const [first] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    const hex = (port: number | string | undefined) => Number(port).toString(16).toUpperCase().padStart(4, '0')
    const open = new RegExp(`:${hex(url.port)} \\w+:${hex(socket.localPort)} 01 `)
    // As the operating system sees it: its table of open connections.
    const isOpen = async () => open.test(await readFile('/proc/net/tcp', 'utf8'))
    return { socket, first, isOpen }
  }
  /** One on a patient and one on an impatient node, and for both the same flood, larger than their buffers. */
  const openFlooded = async () => {
    const [patient, impatient] = [await openDeaf(app), await openDeaf(another)]
    expect(await impatient.isOpen()).toBe(true)
    const payload = 'x'.repeat(200_000)
    for (let count = 0; count < 60; count += 1) await bus.ingest(newEvent({ payload }))
    return { patient, impatient }
  }
  let flooded: ReturnType<typeof openFlooded> | undefined
  const deafClients = () => {
    flooded ??= openFlooded()
    return flooded
  }

  it('disconnects a client that falls behind, and tells it so', async () => {
    const { socket, first } = (await deafClients()).patient
    const received = [first]
    socket.on('data', (piece: Buffer) => received.push(piece))
    const ended = once(socket, 'end')
    socket.resume()
    await ended
    expect(Buffer.concat(received).toString()).toContain('event: overflow\n')
    socket.destroy()
  })

  it('drops a client that never reads, not even the last message', async () => {
    const { socket, isOpen } = (await deafClients()).impatient
    await until(async () => !(await isOpen()), 'the end of the connection')
    socket.destroy()
  })
})

describe('the list', () => {
  it('pages backwards, newest first, and filters', async () => {
    const run = randomUUID()
    for (const event_type of ['a', 'b', 'a', 'a', 'b']) await ingest(app, { event_type, correlation_id: run })
    const types: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await ana.get(`/api/v1/events?correlation_id=${run}&limit=2${cursor && `&cursor=${cursor}`}`)
      expect(body.data.length).toBeLessThanOrEqual(2)
      types.push(...body.data.map((event: { event_type: string }) => event.event_type))
      cursor = body.next_cursor
    }
    expect(types).toEqual(['b', 'a', 'a', 'b', 'a'])
    const { body } = await ana.get(`/api/v1/events?correlation_id=${run}&event_type=b`)
    expect(body).toMatchObject({ data: [{ event_type: 'b' }, { event_type: 'b' }], next_cursor: null })
  })
})

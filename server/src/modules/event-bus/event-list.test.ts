import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { ingest, ingestKey } from '#test/harness/bus.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const ana = await app.user()
const correlation_id = randomUUID()

const list = async (query: string) => {
  const { status, body } = await ana.get(`/api/v1/events?correlation_id=${correlation_id}&${query}`)
  return { status, numbers: body.data?.map((event: { payload: { n: number } }) => event.payload.n) }
}

it('events are listed by a range of time, also together with a source and page by page', async () => {
  const times: number[] = []
  for (let n = 0; n < 8; n += 1) {
    const { body } = await ingest(app, { correlation_id, source: n % 2 === 0 ? 'even' : 'odd', payload: { n } })
    times.push(body.published_at)
    app.clock.forward({ minutes: 60 })
  }
  const [from, before] = [times[2], times[6]]
  expect(await list(`published_from=${from}&published_before=${before}`)).toMatchObject({ numbers: [5, 4, 3, 2] })
  expect(await list(`published_from=${from}`)).toMatchObject({ numbers: [7, 6, 5, 4, 3, 2] })
  expect(await list(`published_before=${from}`)).toMatchObject({ numbers: [1, 0] })
  expect(await list(`published_from=${from}&published_before=${before}&source=odd`)).toMatchObject({ numbers: [5, 3] })
  expect(await list(`published_from=${Number(times[7]) + 1}`)).toMatchObject({ numbers: [] })

  const first = await ana.get(`/api/v1/events?correlation_id=${correlation_id}&published_from=${from}&limit=4`)
  const second = `published_from=${from}&limit=4&cursor=${first.body.next_cursor}`
  expect(await list(second)).toMatchObject({ numbers: [3, 2] })
})

it('an event of a node whose clock is ten minutes off is found in its range of time', async () => {
  const skewed = await testApp({ env: { SVC_EVENT_API_KEY: ingestKey }, databaseUrl: app.databaseUrl })
  const { body: before } = await ingest(app, { correlation_id, payload: { n: 20 } })
  skewed.clock.forward({ ms: app.clock.now().getTime() - skewed.clock.now().getTime() - 10 * 60_000 })
  const { body: behind } = await ingest(skewed, { correlation_id, payload: { n: 21 } })
  const { body: after } = await ingest(app, { correlation_id, payload: { n: 22 } })
  expect(behind.published_at).toBeLessThan(before.published_at)
  const range = `published_from=${behind.published_at}&published_before=${behind.published_at + 1}`
  expect(await list(range)).toMatchObject({ numbers: [21] })
  expect(
    (await list(`published_from=${before.published_at}&published_before=${after.published_at + 1}`)).numbers,
  ).toEqual([22, 20])
  await skewed.stop()
})

it('a time that is none is refused', async () => {
  expect(await list('published_from=yesterday')).toMatchObject({ status: 422 })
})

it('events are found by text in their payload, five thousand at a time', async () => {
  const found = { correlation_id: randomUUID(), payload: { note: 'A Needle in the "hay"' } }
  const { body } = await ingest(app, found)
  await sql`
    insert into events (event_id, scope_id, event_type, source, correlation_id, payload, published_at, root_event_id)
    select gen_random_uuid(), scope_id, event_type, source, correlation_id, '{"note": "hay"}', published_at, event_id
    from events, generate_series(1, 5000) where event_id = ${body.event_id}`.execute(app.db)
  const search = async (query: string) =>
    (await ana.get(`/api/v1/events?correlation_id=${found.correlation_id}&payload=needle${query}`)).body
  const first = await search('')
  expect(first).toMatchObject({ data: [], next_cursor: expect.any(String) })
  const second = await search(`&cursor=${first.next_cursor}`)
  expect(second).toMatchObject({ data: [{ event_id: body.event_id }], next_cursor: null })
  expect((await ana.get(`/api/v1/events?payload=`)).status).toBe(422)
})

it('a search in large payloads ends after so many bytes, and goes on with the next page', async () => {
  const { body } = await ingest(app, { correlation_id: randomUUID(), payload: { note: 'needle' } })
  await sql`
    insert into events (event_id, scope_id, event_type, source, correlation_id, payload, payload_bytes, published_at, root_event_id)
    select gen_random_uuid(), scope_id, event_type, source, correlation_id, '{"note": "hay"}', ${20 * 1024 * 1024}, published_at, event_id
    from events, generate_series(1, 3) where event_id = ${body.event_id}`.execute(app.db)
  const search = async (cursor = '') =>
    (await ana.get(`/api/v1/events?correlation_id=${body.correlation_id}&payload=needle${cursor}`)).body
  const first = await search()
  expect(first).toMatchObject({ data: [], next_cursor: expect.any(String) })
  const second = await search(`&cursor=${first.next_cursor}`)
  expect(second).toMatchObject({ data: [{ event_id: body.event_id }], next_cursor: null })
})

/** The client against the whole server. */
import { createApiKey, listApiKeys } from '@chancery/contract/endpoints/accounts.ts'
import { createSpace, listSpaces } from '@chancery/contract/endpoints/catalogs.ts'
import { followEvents, getEvent, ingestEvent, listEvents } from '@chancery/contract/endpoints/events.ts'
import { readFile, uploadFile } from '@chancery/contract/endpoints/files.ts'
import { getWorkflow } from '@chancery/contract/endpoints/workflows.ts'
import { describe, expect, it } from 'vitest'
import { sharedApp } from '../../server/test/harness/shared-app.ts'
import { ApiError, Client } from '../src/index.ts'
import { collect } from './collect.ts'

const app = await sharedApp()
const ana = await app.user()
const client = new Client({ url: `${app.url}/`, token: ana.token })
const type = 'order_of_the_client'

describe('a call', () => {
  it('returns what the endpoint says', async () => {
    const made = await client.call(createApiKey, { body: { name: 'nightly' } })
    expect(made.key).toMatch(/^sk-/)
    const { items } = await new Client({ url: app.url, token: made.key }).call(listApiKeys)
    expect(items.map(({ name }) => name)).toEqual(['nightly'])
  })

  it('throws the code, the status and the request of a refusal', async () => {
    const unknown = client.call(getWorkflow, { params: { id: app.unknownId() } })
    await expect(unknown).rejects.toMatchObject({
      status: 404,
      code: 'workflow_not_found',
      requestId: expect.any(String),
    })
    const invalid: unknown = await client.call(createSpace, { body: { name: '' } }).catch((error: unknown) => error)
    expect(invalid).toBeInstanceOf(ApiError)
    expect(invalid).toMatchObject({
      code: 'validation_failed',
      problems: expect.arrayContaining([expect.objectContaining({ loc: ['body', 'name'] })]),
    })
    expect((invalid as ApiError).is('validation_failed', 'not_found')).toBe(true)
  })

  it('keeps integers that a number cannot hold', async () => {
    const payload = { order: 90071992547409931n }
    const { event_id } = await client.call(ingestEvent, { body: { event_type: type, payload } })
    expect((await client.call(getEvent, { params: { eventId: event_id } })).payload).toEqual(payload)
  })

  it('sends and reads files', async () => {
    const body = new FormData()
    body.set('file', new File(['a short text'], 'note.txt', { type: 'text/plain' }))
    const { id } = await client.call(uploadFile, { query: { process: false }, body })
    expect(await (await client.open(readFile, { params: { id } })).text()).toBe('a short text')
  })
})

describe('a list', () => {
  it('is read page after page, by number and by cursor', async () => {
    for (const name of ['a', 'b', 'c']) await client.call(createSpace, { body: { name } })
    const spaces = await collect(client.each(listSpaces, { query: { limit: 2 } }))
    expect(spaces.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c'])

    const source = 'three of them'
    for (const payload of [1, 2, 3]) await client.call(ingestEvent, { body: { event_type: type, source, payload } })
    const events = await collect(client.each(listEvents, { query: { source, limit: 2 } }))
    expect(events.map(({ payload }) => payload)).toEqual([3, 2, 1])
  })
})

describe('a stream', () => {
  it('brings what is published, until its reader has enough', async () => {
    const source = 'live'
    const seen: unknown[] = []
    const first = await client.call(ingestEvent, { body: { event_type: type, source, payload: 'earlier' } })
    const { seq } = await client.call(getEvent, { params: { eventId: first.event_id } })
    for await (const { data } of client.follow(followEvents, { query: { source, after: seq - 1 } })) {
      seen.push(JSON.parse(data).payload)
      if (seen.length === 2) break
      await client.call(ingestEvent, { body: { event_type: type, source, payload: 'later' } })
    }
    expect(seen).toEqual(['earlier', 'later'])
  })

  it('ends with the refusal of the server, and with the reason of an abort', async () => {
    const outsider = new Client({ url: app.url, token: 'sk-nobody' })
    await expect(outsider.follow(followEvents, {}).next()).rejects.toMatchObject({ code: 'not_authenticated' })
    const enough = new Error('enough')
    const following = client.follow(followEvents, { query: { source: 'none' }, signal: AbortSignal.abort(enough) })
    await expect(following.next()).rejects.toBe(enough)
  })
})

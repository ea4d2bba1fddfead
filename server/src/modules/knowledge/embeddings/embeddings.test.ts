import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  add,
  ask,
  collectionsPath as base,
  collectionOf,
  create,
  found,
  knowledgeApp,
  upload,
  usedBy,
} from '#test/harness/knowledge.ts'
import { startSite } from '#test/peers/site.ts'
import { createServingEngine } from './serving-engine.ts'

const { app, ana, embedder } = await knowledgeApp()

describe('a question', () => {
  it('is embedded by a model of the local runtime just as well', async () => {
    const embedding = Array.from({ length: 32 }, (_, at) => (at === 3 ? 2 : 0))
    const runtime = await startSite(({ body }, response) => {
      const embeddings = (JSON.parse(body).input as string[]).map(() => embedding)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ embeddings }))
    })
    onTestFinished(() => runtime.close())
    const owner = await app.platformOwner()
    const set = (on: boolean) =>
      owner.post('/api/v1/configs', {
        'rag.embedding.engine': on ? 'upstream' : null,
        'rag.embedding.url': on ? runtime.origin : null,
        'rag.embedding.model': on ? 'nomic' : null,
      })
    await set(true)
    const file = await upload(ana, 'Made by the runtime.')
    expect(runtime.requests.find(({ body }) => body.includes('Made by'))).toMatchObject({
      path: '/api/embed',
      body: JSON.stringify({ model: 'nomic', input: ['Made by the runtime.'] }),
    })
    expect((await ana.get(`/api/v1/retrieval/files/${file}/chunks`)).body.embedded).toBe(1)
    await set(false)
  })

  it('is answered with the old vectors while a new engine embeds', async () => {
    const id = await collectionOf(ana, 'The automobile is parked outside.', 'Bread is baked early.')
    const owner = await app.platformOwner()
    embedder.state.refusedModel = 'newer'
    await owner.post('/api/v1/configs', { 'rag.embedding.model': 'newer' })
    const { body } = await ask(ana, [id], 'sedan', { explain: true })
    expect(body.documents[0][0]).toBe('The automobile is parked outside.')
    expect(body.reasons[0][0].meaning.similarity).toBeGreaterThan(0.5)
    await owner.post('/api/v1/configs', { 'rag.embedding.model': null })
    embedder.state.refusedModel = ''
  })

  it('is answered with the vectors of the other engine when the settings go back to one that missed files', async () => {
    const listeners: ((keys: readonly string[]) => void)[] = []
    const settings = { onChange: (listener: (keys: readonly string[]) => void) => void listeners.push(listener) }
    const serving = createServingEngine({ clock: app.clock, settings })
    const embedAllWith = (engine: string) =>
      sql`insert into knowledge_vectors (engine, text_hash, vector)
        select distinct ${engine}, text_hash, ''::bytea from knowledge_chunks on conflict do nothing`.execute(app.db)
    await upload(ana, 'Here before both engines.')
    await embedAllWith('test/a')
    expect(await serving(app.db, 'test/a')).toBe('test/a')
    const change = () => listeners.forEach((listener) => void listener(['rag.embedding.model']))
    change()
    await upload(ana, 'Came while the second engine was in force.')
    await embedAllWith('test/b')
    change()
    expect(await serving(app.db, 'test/a')).not.toBe('test/a')
    await embedAllWith('test/a')
    app.clock.forward({ minutes: 1 })
    expect(await serving(app.db, 'test/a')).toBe('test/a')
    await app.db.deleteFrom('knowledgeVectors').where('engine', 'like', 'test/%').execute()
  })

  it('is answered by words alone while the engine fails, and by meaning once the vectors are there', async () => {
    const embedJobs = sql`from pgboss.job where name = 'knowledge.embed' and state = 'created'`
    await sql`delete ${embedJobs}`.execute(app.db)
    app.clock.forward({ minutes: 1 })
    embedder.state.isFailing = true
    const id = await collectionOf(ana, 'A glad automobile owner.', 'Nothing else matters here.')
    // The job is due by the server's clock, not by that of the machine. There can be one only, which must not be late.
    const { rows } = await sql<{ at: Date }>`select start_after as at ${embedJobs}`.execute(app.db)
    const dueInMs = Number(rows[0]?.at) - app.clock.now().getTime()
    expect([rows.length, dueInMs > 0 && dueInMs <= 10_000]).toEqual([1, true])
    expect(await found(ana, [id], 'automobile', { k: 1 })).toEqual(['A glad automobile owner.'])
    expect(await found(ana, [id], 'joyful', { k: 1 })).toEqual([])
    embedder.state.isFailing = false
    await ana.post(`${base}/${id}/reindex`)
    app.clock.forward({ minutes: 2 })
    await expect
      .poll(() => found(ana, [id], 'joyful', { k: 1 }), { timeout: 20_000 })
      .toEqual(['A glad automobile owner.'])
  })

  it('counts towards usage with what it sends to an engine: files for their owner, questions for the caller', async () => {
    const [owner, asker] = [await app.user({ org: 'counted' }), await app.user({ org: 'counted' })]
    const grants = [{ principal_type: 'user', principal_id: asker.id, permission: 'read' }]
    const id = await create(owner, { access_grants: grants })
    await add(owner, id, await upload(owner, 'Tides are counted.'))
    expect(await usedBy(owner, 'mini')).toEqual({ requests: 1, failures: 0, tokens: 5 })
    await found(asker, [id], 'ebb and flow')
    expect(await usedBy(asker, 'mini')).toEqual({ requests: 1, failures: 0, tokens: 3 })
    expect(await usedBy(owner, 'mini')).toMatchObject({ requests: 1 })
  })

  it('is answered by words alone once the budget is spent, and files wait for their vectors until there is a new one', async () => {
    const [owner, spender] = [await app.platformOwner(), await app.user({ org: 'spent' })]
    const id = await collectionOf(spender, 'The glad sailor sings.')
    const budget = { subject_type: 'user', subject_id: spender.id, tokens_per_day: 1 }
    const { body: limit } = await owner.post('/api/v1/usage/limits', budget)
    const text = 'A cheerful captain listens.'
    await add(spender, id, await upload(spender, text))
    expect(await found(spender, [id], 'captain joyful')).toEqual([text])
    expect(await found(ana, [await collectionOf(ana, 'Some vessel.')], 'ship')).toEqual(['Some vessel.'])
    for (const unsent of [text, 'captain joyful']) expect(embedder.state.texts).not.toContain(unsent)
    await owner.delete(`/api/v1/usage/limits/${limit.id}`)
    await spender.post(`${base}/${id}/reindex`)
    await expect.poll(async () => (await found(spender, [id], 'joyful')).length).toBe(2)
  })

  it('does not embed the same text again, in however many files and collections it is', async () => {
    const text = 'A sentence that several files share word for word.'
    for (let times = 0; times < 4; times += 1) await collectionOf(ana, text)
    // The background job may be at the same text as the first upload.
    const count = embedder.state.texts.filter((one) => one === text).length
    expect(count === 1 || count === 2).toBe(true)
  })
})

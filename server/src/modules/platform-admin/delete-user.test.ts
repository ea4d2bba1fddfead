/** Deleting people: by the operators, with and without an heir, and by the nightly sweep. */
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { newChat, turn } from '#test/harness/conversation.ts'
import { createVictim } from '#test/harness/failpoints.ts'
import { uploadText } from '#test/harness/files.ts'
import { createNode } from '#test/harness/node.ts'
import { type Person, password } from '#test/harness/people.ts'
import { finished, runThrough, startByHand } from '#test/harness/runs.ts'
import { documentsPath, makeDraft } from '#test/harness/signing.ts'
import { chain, makePublished, workflowsPath } from '#test/harness/workflows.ts'

const failpoints = createVictim()
const app = await testApp({ failpoints })
const owner = await app.platformOwner()
const remove = (person: Person, transferTo?: string) =>
  owner.send('DELETE', `/api/admin/users/${person.id}`, {
    ...(transferTo !== undefined && {
      body: JSON.stringify({ transferTo }),
      headers: { 'content-type': 'application/json' },
    }),
  })
const userRow = (id: string) => app.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** Somebody with one of everything. */
const settledPerson = async () => {
  const ana = await app.user({ isProven: true })
  const chat = await newChat(ana, turn('hello', 'hi'))
  const folder = (await ana.post('/api/v1/folders', { name: 'Drawer' })).body
  const model = `own-${app.unknownId()}`
  await ana.post('/api/v1/models/create', { id: model, name: 'Own', base_model_id: 'guide', access_grants: [] })
  const { key } = (await ana.post('/api/v1/api-keys', { name: 'k' })).body
  const workflow = await makePublished(ana, chain('a'))
  const trigger = { name: 'On order', event_type: `order_${app.unknownId().replaceAll('-', '_')}` }
  await ana.post(`${workflowsPath}/${workflow.id}/triggers/event`, trigger)
  const file = (await uploadText(ana, 'Some text')).body.id
  const collection = (await ana.post('/api/v1/knowledge/create', { name: 'Shelf', description: '' })).body.id
  const draft = (await makeDraft(ana)).id
  const things = [`/api/v1/files/${file}`, `/api/v1/knowledge/${collection}`, `${documentsPath}/${draft}`]
  return {
    ana,
    chat,
    folder,
    model,
    key,
    workflow,
    eventType: trigger.event_type,
    things,
    owned: { file, collection },
  }
}

describe('deleting a person', () => {
  it('ends their sessions and keys, deletes what they own, frees the address, and is audited', async () => {
    const { ana, chat, model, key, workflow, owned } = await settledPerson()
    const run = (await startByHand(ana, workflow.id)).body
    await finished(ana, run.id)

    expect((await remove(ana)).status).toBe(204)

    for (const token of [ana.token, key])
      expect((await app.newcomer().get('/api/auth/me', bearer(token))).status).toBe(401)
    const { db } = app
    const left = await Promise.all([
      db.selectFrom('chats').select('id').where('id', '=', chat.id).execute(),
      db.selectFrom('models').select('id').where('id', '=', model).execute(),
      db.selectFrom('files').select('id').where('id', '=', owned.file).execute(),
      db.selectFrom('knowledgeCollections').select('id').where('id', '=', owned.collection).execute(),
      db.selectFrom('workflows').select('id').where('id', '=', workflow.id).execute(),
      db.selectFrom('subscriptions').select('id').where('workflowId', '=', workflow.id).execute(),
      db.selectFrom('runs').select('id').where('scopeId', '=', ana.id).execute(),
      db.selectFrom('sessions').select('id').where('principalId', '=', ana.id).execute(),
      db.selectFrom('apiKeys').select('id').where('principalId', '=', ana.id).execute(),
    ])
    expect(left.flat()).toEqual([])
    expect((await app.user({ email: ana.email })).id).not.toBe(ana.id)
    const audit = await owner.get('/api/admin/audit?search=account.delete')
    expect(audit.body.items[0]).toMatchObject({
      action: 'account.delete',
      actor: { kind: 'admin', id: owner.id },
      target: { kind: 'user', id: ana.id },
      detail: { name: ana.name, email: ana.email },
    })
    expect(await remove(ana)).toMatchObject({ status: 404, body: { code: 'user_not_found' } })
  })

  it('hands chats, folders, models, files, collections, documents and workflows over, and their triggers go on', async () => {
    const { ana, chat, folder, model, workflow, eventType, things } = await settledPerson()
    const ben = await app.user()

    expect((await remove(ana, ben.id)).status).toBe(204)

    const handed = (await ben.get(`/api/v1/chats/${chat.id}`)).body
    expect(Object.keys(handed.chat.history.messages)).toHaveLength(2)
    expect((await ben.get('/api/v1/folders')).text).toContain(folder.id)
    for (const path of things) expect((await ben.get(path)).status, path).toBe(200)
    await expect.poll(async () => (await ben.get(`/api/v1/models/model?id=${model}`)).status).toBe(200)
    expect((await ben.get(`${workflowsPath}/${workflow.id}`)).status).toBe(200)
    const { key } = (await ben.post('/api/v1/api-keys', { name: 'k' })).body
    await app.anonymous.post('/api/v1/events/ingest', { event_type: eventType, payload: {} }, { 'x-api-key': key })
    const runs = async () => (await ben.get(`${workflowsPath}/${workflow.id}/runs`)).body.data
    await expect.poll(async () => (await runs())[0]?.status).toBe('succeeded')
  })

  it('leaves the workflows of an organization to it', async () => {
    const org = `org ${app.unknownId()}`
    const boss = await app.user({ org })
    const member = await app.user({ org })
    const workflow = await makePublished(member, chain('a'), boss)
    expect((await remove(member)).status).toBe(204)
    expect((await finished(boss, (await startByHand(boss, workflow.id)).body.id)).status).toBe('succeeded')
    expect((await boss.get('/api/org/team')).text).not.toContain(member.id)
  })

  it('hands over to nobody outside the organization, inactive, unknown or the person themselves', async () => {
    const org = `org ${app.unknownId()}`
    const boss = await app.user({ org })
    const member = await app.user({ org })
    const gone = await app.user({ org })
    await boss.post(`/api/org/team/${gone.id}/deactivate`)
    const stranger = await app.user()
    for (const id of [stranger.id, gone.id, member.id, app.unknownId(), owner.id])
      expect(await remove(member, id)).toMatchObject({ status: 409, body: { code: 'transfer_refused' } })
    expect((await remove(member, 'nobody')).status).toBe(422)
    expect((await member.get('/api/auth/me')).status).toBe(200)
  })

  it('happens whole or not at all', async () => {
    const { ana, chat, workflow } = await settledPerson()
    failpoints.dieAt('user deletion: recorded')
    expect((await remove(ana)).status).toBe(500)
    failpoints.revive()
    expect((await ana.get(`/api/v1/chats/${chat.id}`)).status).toBe(200)
    expect((await ana.get(`${workflowsPath}/${workflow.id}`)).status).toBe(200)
    expect((await runThrough(ana, chain('a'))).status).toBe('succeeded')
  })
})

describe('the nightly sweep', async () => {
  const node = await createNode(app)
  await node.start(node.accounts)
  afterAll(() => node.stop(node.accounts))
  const sweep = async () => {
    const job = node.accounts.jobs?.find(({ name }) => name === 'accounts.sweep')
    const { signal } = new AbortController()
    await job?.work({}, { jobId: 'test', attempt: 1, signal, log: node.kernel.log })
  }
  const register = async (): Promise<{ id: string; email: string; token: string }> => {
    const email = `unused.${app.unknownId()}@example.test`
    const { body } = await app.newcomer().post('/api/auth/register', { name: 'Una', email, password })
    return { ...body.user, token: body.token }
  }

  it('closes an unproven account that nobody used for 7 days, and deletes it after 30 more', async () => {
    const [unused, proven, keyed, returned] = [await register(), await register(), await register(), await register()]
    await app.db.updateTable('users').set({ emailProvenAt: new Date() }).where('id', '=', proven.id).execute()
    await app.newcomer().post('/api/v1/api-keys', { name: 'k' }, bearer(keyed.token))
    app.clock.forward({ days: 6 })
    await app.newcomer().post('/api/auth/login', { email: returned.email, password })
    await sweep()
    expect(await userRow(unused.id)).toMatchObject({ closedAt: null, email: unused.email })

    app.clock.forward({ days: 2 })
    await sweep()
    expect(await userRow(unused.id)).toMatchObject({ status: 'DEACTIVATED', formerEmail: unused.email })
    for (const { id } of [proven, keyed, returned]) expect(await userRow(id)).toMatchObject({ status: 'ACTIVE' })

    app.clock.forward({ days: 29 })
    await sweep()
    expect(await userRow(unused.id)).toBeDefined()
    app.clock.forward({ days: 2 })
    await sweep()
    expect(await userRow(unused.id)).toBeUndefined()
    for (const { id } of [proven, keyed, returned]) expect(await userRow(id)).toBeDefined()
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where target_id = ${unused.id} and actor_kind = 'system' order by at`.execute(app.db)
    expect(rows.map(({ action }) => action)).toEqual(['account.expire', 'account.delete'])
  })
})

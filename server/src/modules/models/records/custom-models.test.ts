/** Models that people and administrators make, and who may use what: at the list, the record and the call. */
import { afterAll, describe, expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import type { Client } from '#test/harness/client.ts'
import { actorOf, testModels } from '#test/harness/models.ts'
import type { Person } from '#test/harness/people.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift', 'wise', 'secret', 'old', 'shy'] })
const env = { COMPAT_API_BASE_URL: provider.url }
const app = await testApp({ env })
const { models } = await testModels(env, { databaseUrl: app.databaseUrl })
afterAll(() => provider.close())

const owner = await app.platformOwner()
const boss = await app.user({ org: 'models' })
const ana = await app.user({ org: 'models' })
const ben = await app.user({ org: 'models' })
const stranger = await app.user({ org: 'elsewhere' })
const loner = await app.user()

const create = (who: Client, body: Record<string, unknown>) =>
  who.post('/api/v1/models/create', { name: 'A model', ...body })
const update = (who: Client, id: string, patch: unknown) => who.post(`/api/v1/models/model/update?id=${id}`, patch)
const get = (who: Client, id: string) => who.get(`/api/v1/models/model?id=${id}`)
const remove = (who: Client, id: string) => who.delete(`/api/v1/models/model/delete?id=${id}`)
const idsOf = async (who: Client) => (await who.get('/api/models')).body.data.map(({ id }: { id: string }) => id)
const grant = (principal_type: string, principal_id: string | null, permission = 'read') => ({
  principal_type,
  principal_id,
  permission,
})

/** Asked by every door: the other node's answer, once it has heard of the change. */
const callAs = async (person: Person, id: string) => {
  const actor = actorOf(person)
  const resolved = await models.resolve(actor, id)
  const body = { messages: [{ role: 'user', content: 'x' }], ...resolved.params }
  return resolved.call({ actor, body, signal: new AbortController().signal })
}
const eventually = (check: () => Promise<unknown>) => vi.waitFor(check, { timeout: 5000 })
/** Only looks, so that a node that has not heard of the change yet calls nobody. */
const expectMissing = (person: Person, id: string) =>
  expect((async () => models.resolve(actorOf(person), id))()).rejects.toMatchObject({ code: 'model_not_found' })

describe('a plain model of a connection', () => {
  it('has a record of the contract’s shape though nobody made one', async () => {
    expect(await get(ana, 'swift')).toMatchObject({
      status: 200,
      body: {
        id: 'swift',
        name: 'swift',
        model: 'swift',
        base_model_id: null,
        meta: { description: '', capabilities: [], context_length: 0, max_output_tokens: 0 },
        params: { temperature: 1, top_p: 1, frequency_penalty: 0, presence_penalty: 0 },
        created_at: 1_700_000_000,
        updated_at: 1_700_000_000,
        user_id: null,
        write_access: false,
      },
    })
  })

  it('and an unknown one is missing, with the same words as one that is not the caller’s', async () => {
    const unknown = await get(ana, 'nothing-like-it')
    await create(owner, { id: 'shy', name: 'Shy', access_grants: [] })
    const foreign = await get(ana, 'shy')
    expect(unknown).toMatchObject({ status: 404, body: { code: 'model_not_found' } })
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  })
})

describe('what an administrator says about a model', () => {
  it('renames it for everybody', async () => {
    const reply = await create(owner, { id: 'wise', name: 'The wise one', meta: { description: 'Thinks long.' } })
    expect(reply).toMatchObject({
      status: 201,
      body: { name: 'The wise one', access_grants: null, write_access: true },
    })
    const item = (await ana.get('/api/models')).body.data.find(({ id }: { id: string }) => id === 'wise')
    expect(item).toMatchObject({ name: 'The wise one', description: 'Thinks long.' })
    expect(item).not.toHaveProperty('base_model_id')
  })

  it('switches it off for everybody, also for administrators, until it is taken back', async () => {
    await create(owner, { id: 'old', name: 'Old', is_active: false })
    expect(await idsOf(ana)).not.toContain('old')
    expect(await idsOf(owner)).not.toContain('old')
    await eventually(() => expectMissing(ana, 'old'))
    expect((await get(owner, 'old')).body.is_active).toBe(false)
    expect((await remove(owner, 'old')).status).toBe(204)
    expect(await idsOf(ana)).toContain('old')
  })

  it('is not for anybody else to say', async () => {
    for (const who of [ana, boss])
      expect(await create(who, { id: 'swift', name: 'Mine' })).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      })
    expect(await update(boss, 'wise', { name: 'Mine' })).toMatchObject({ status: 403 })
    expect(await remove(boss, 'wise')).toMatchObject({ status: 403 })
  })

  it('restricts it to a person, a group or an organization, at the list and at the call (A07)', async () => {
    const before = provider.calls().length
    await create(owner, { id: 'secret', name: 'Secret', access_grants: [] })
    await eventually(() => expectMissing(ana, 'secret'))
    expect(await idsOf(ana)).not.toContain('secret')
    expect((await get(ana, 'secret')).status).toBe(404)
    expect(await idsOf(owner)).toContain('secret')
    await expect(models.resolveBackends(actorOf(ana), 'secret')).rejects.toMatchObject({ code: 'model_not_found' })
    expect(provider.calls().length).toBe(before)

    await update(owner, 'secret', { access_grants: [grant('user', ana.id)] })
    await eventually(() => callAs(ana, 'secret'))
    await expectMissing(ben, 'secret')

    await update(owner, 'secret', { access_grants: [grant('organization', ana.organizationId)] })
    await eventually(() => callAs(ben, 'secret'))
    await expectMissing(stranger, 'secret')
    await expectMissing(loner, 'secret')

    const group = (await boss.post('/api/org/groups', { name: 'Researchers', memberIds: [ana.id] })).body
    await update(owner, 'secret', { access_grants: [grant('group', group.id)] })
    await eventually(() => expectMissing(ben, 'secret'))
    await callAs(ana, 'secret')
    // A node hears of the new group by a signal, also the one where it was created.
    await eventually(async () => expect(await idsOf(ana)).toContain('secret'))

    await boss.patch(`/api/org/groups/${group.id}`, { memberIds: [ben.id] })
    await eventually(() => callAs(ben, 'secret'))
    await eventually(() => expectMissing(ana, 'secret'))

    await boss.delete(`/api/org/groups/${group.id}`)
    await eventually(() => expectMissing(ben, 'secret'))
    await eventually(async () => expect((await get(owner, 'secret')).body.access_grants).toEqual([]))
  })
})

describe('a model of one’s own', () => {
  it('has its base’s voice with its own instructions and parameters', async () => {
    const params = { system: 'Answer in verse.', temperature: 0.3, max_tokens: 50 }
    const reply = await create(ana, { id: 'poet', name: 'Poet', base_model_id: 'wise', params })
    expect(reply).toMatchObject({
      status: 201,
      body: { base_model_id: 'wise', model: 'wise', user_id: ana.id, access_grants: [], params, write_access: true },
    })
    const resolved = await eventually(async () => models.resolve(actorOf(ana), 'poet'))
    expect(resolved).toMatchObject({
      id: 'poet',
      name: 'Poet',
      system: 'Answer in verse.',
      params: { temperature: 0.3, max_tokens: 50 },
    })
    const answer = await callAs(ana, 'poet')
    expect(answer).toMatchObject({ kind: 'whole', completion: { model: 'poet' } })
    expect(provider.calls().at(-1)?.body).toMatchObject({ model: 'wise', temperature: 0.3 })
  })

  it('is based on another, and the outer settings win', async () => {
    const params = { temperature: 0.9, top_p: 0.5 }
    await create(ana, { id: 'loud-poet', name: 'Loud poet', base_model_id: 'poet', params })
    const resolved = await eventually(async () => models.resolve(actorOf(ana), 'loud-poet'))
    expect(resolved).toMatchObject({
      system: 'Answer in verse.',
      params: { temperature: 0.9, top_p: 0.5, max_tokens: 50 },
    })
    expect((await get(ana, 'loud-poet')).body).toMatchObject({ model: 'wise', base_model_id: 'poet' })
  })

  it('is its maker’s alone until it is granted', async () => {
    expect(await idsOf(ana)).toContain('poet')
    expect(await idsOf(ben)).not.toContain('poet')
    expect((await get(ben, 'poet')).status).toBe(404)
    for (const reply of [await update(ben, 'poet', { name: 'Ben’s' }), await remove(ben, 'poet')])
      expect(reply).toMatchObject({ status: 404, body: { code: 'model_not_found' } })
    expect((await ben.get('/api/v1/models/custom')).body).toEqual({ items: [], total: 0 })
    expect((await ana.get('/api/v1/models/custom')).body.total).toBe(2)
    expect((await owner.get('/api/v1/models/custom')).body.total).toBeGreaterThan(2)
  })

  it('can be granted within the organization, to read without its instructions, or to change', async () => {
    await update(ana, 'poet', { access_grants: [grant('user', ben.id)] })
    const seen = (await get(ben, 'poet')).body
    expect(seen).toMatchObject({ name: 'Poet', write_access: false })
    expect(JSON.stringify(seen)).not.toContain('verse')
    expect(seen).not.toHaveProperty('access_grants')
    expect((await update(ben, 'poet', { name: 'Ben’s' })).status).toBe(403)

    await update(ana, 'poet', { access_grants: [grant('organization', ana.organizationId, 'write')] })
    expect((await update(ben, 'poet', { name: 'Our poet' })).body.name).toBe('Our poet')
    expect((await remove(ben, 'poet')).status).toBe(403)
  })

  it('cannot be granted to anybody outside, nor to everybody, nor by somebody without an organization', async () => {
    const foreignGroup = (await stranger.post('/api/org/groups', { name: 'Theirs', memberIds: [] })).body.id
    for (const grants of [
      [grant('user', stranger.id)],
      [grant('organization', stranger.organizationId)],
      [grant('group', foreignGroup)],
      [grant('user', ben.id), grant('user', app.unknownId())],
      null,
    ])
      expect(await update(ana, 'poet', { access_grants: grants })).toMatchObject({
        status: 403,
        body: { code: 'grant_not_allowed' },
      })
    expect(
      await create(loner, { id: 'loner-1', base_model_id: 'swift', access_grants: [grant('user', ana.id)] }),
    ).toMatchObject({ status: 403, body: { code: 'grant_not_allowed' } })
    expect((await get(loner, 'loner-1')).status).toBe(404)
  })

  it('keeps what an administrator granted further out when its maker changes it', async () => {
    const far = grant('user', stranger.id)
    await update(owner, 'poet', { access_grants: [far] })
    const near = grant('user', ben.id)
    expect((await update(ana, 'poet', { access_grants: [far, near] })).body.access_grants).toEqual(
      expect.arrayContaining([far, near]),
    )
    await eventually(() => callAs(stranger, 'poet'))
  })

  it('is no way around the restriction of its base (A07)', async () => {
    await update(owner, 'secret', { access_grants: [grant('user', ana.id)] })
    await eventually(() => callAs(ana, 'secret'))
    const shared = { access_grants: [grant('organization', ana.organizationId)] }
    expect((await create(ana, { id: 'detour', base_model_id: 'secret', ...shared })).status).toBe(201)
    await eventually(() => callAs(ana, 'detour'))
    const before = provider.calls().length
    await expectMissing(ben, 'detour')
    expect(await idsOf(ben)).not.toContain('detour')
    expect(await create(ben, { id: 'detour-2', base_model_id: 'secret' })).toMatchObject({
      status: 422,
      body: { code: 'model_base_invalid' },
    })
    expect(await create(ben, { id: 'detour-2', base_model_id: 'detour' })).toMatchObject({ status: 422 })

    await update(owner, 'secret', { access_grants: [] })
    await eventually(() => expectMissing(ana, 'detour'))
    expect(provider.calls().length).toBe(before)
    expect((await get(ana, 'detour')).status).toBe(200)
  })

  it('cannot be based on itself, on a missing model, or on too many others', async () => {
    const invalid = { status: 422, body: { code: 'model_base_invalid' } }
    expect(await create(ben, { id: 'loop', base_model_id: 'loop' })).toMatchObject(invalid)
    expect(await create(ben, { id: 'floating', base_model_id: 'nothing' })).toMatchObject(invalid)
    await create(ben, { id: 'loop-1', base_model_id: 'swift' })
    await create(ben, { id: 'loop-2', base_model_id: 'loop-1' })
    expect(await update(ben, 'loop-1', { base_model_id: 'loop-2' })).toMatchObject(invalid)
    expect(await update(ben, 'loop-1', { base_model_id: null })).toMatchObject(invalid)
    for (const level of [3, 4, 5])
      expect((await create(ben, { id: `loop-${level}`, base_model_id: `loop-${level - 1}` })).status).toBe(201)
    expect(await create(ben, { id: 'loop-6', base_model_id: 'loop-5' })).toMatchObject(invalid)
    await eventually(() => callAs(ben, 'loop-5'))
  })

  it('cannot take an id under the prefix of a connection, where its models may appear later', async () => {
    const connection = { type: 'compat', name: 'Acme', url: provider.url, prefix_id: 'acme' }
    const { body } = await owner.post('/api/v1/connections', connection)
    for (const id of ['acme.not-there-yet', 'ACME.swift'])
      expect(await create(ben, { id, base_model_id: 'wise' })).toMatchObject({
        status: 409,
        body: { code: 'model_exists' },
      })
    expect((await create(ben, { id: 'acme-like', base_model_id: 'wise' })).status).toBe(201)
    await owner.delete(`/api/v1/connections/${body.id}`)
  })

  it('takes a plain name only', async () => {
    for (const id of ['a b', '-a', 'ä', '../x y'])
      expect(await create(ben, { id, base_model_id: 'wise' })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', detail: [{ loc: ['body', 'id'] }] },
      })
  })

  it('takes no name that exists', async () => {
    for (const id of ['poet', 'swift', 'guide'])
      expect(await create(ben, { id, base_model_id: 'wise' })).toMatchObject({
        status: 409,
        body: { code: 'model_exists' },
      })
  })

  it('hides no connection’s model of the same name that appears later', async () => {
    await create(ben, { id: 'appearing', name: 'Ben’s own', base_model_id: 'swift' })
    provider.models.push('appearing')
    app.clock.forward({ minutes: 2 })
    await eventually(async () => expect(await idsOf(ana)).toContain('appearing'))
    expect((await get(ana, 'appearing')).body).toMatchObject({ name: 'appearing', base_model_id: null })
    expect((await get(ben, 'appearing')).body).toMatchObject({ name: 'Ben’s own', base_model_id: 'swift' })
  })

  it('goes with its grants', async () => {
    expect((await remove(ana, 'detour')).status).toBe(204)
    expect((await get(ana, 'detour')).status).toBe(404)
    const left = await app.db.selectFrom('accessGrants').selectAll().where('resourceId', '=', 'detour').execute()
    expect(left).toEqual([])
    const { items } = (await owner.get('/api/admin/audit?search=model.delete')).body
    expect(items[0]).toMatchObject({ action: 'model.delete' })
  })
})

describe('default and pinned models', () => {
  const path = '/api/v1/models/defaults'
  const none = { default_model: null, pinned: [] }

  it('are a person’s own, their organization’s and everybody’s', async () => {
    expect((await ana.get(path)).body).toEqual({ user: none, organization: none, platform: none })
    const own = { default_model: 'swift', pinned: ['guide'] }
    expect(await ana.put(path, { scope: 'user', ...own, pinned: ['guide', 'guide'] })).toMatchObject({ status: 200 })
    await boss.put(path, { scope: 'organization', default_model: 'house', pinned: [] })
    await owner.put(path, { scope: 'platform', default_model: null, pinned: ['all'] })
    expect((await ana.get(path)).body).toEqual({
      user: own,
      organization: { default_model: 'house', pinned: [] },
      platform: { default_model: null, pinned: ['all'] },
    })
    expect((await stranger.get(path)).body).toMatchObject({ user: none, organization: none })
    await owner.put(path, { scope: 'platform', ...none })
  })

  it('are not the guide for anybody who may use another model, an invited colleague included', async () => {
    const guide = { default_model: 'guide', pinned: ['guide'] }
    await boss.put(path, { scope: 'organization', ...guide })
    await owner.put(path, { scope: 'platform', ...guide })
    const colleague = await app.user({ org: 'models' })
    for (const person of [ana, colleague])
      expect((await person.get(path)).body.platform).toEqual({ default_model: null, pinned: ['guide'] })
    expect((await boss.get(path)).body.organization.default_model).toBeNull()
    const { data } = (await colleague.get('/api/models')).body
    expect(data.at(-1).id).toBe('guide')
    await owner.put(path, { scope: 'platform', ...none })
  })

  it('are set only by those they belong to', async () => {
    expect(await ana.put(path, { scope: 'organization', ...none })).toMatchObject({ status: 403 })
    expect(await ana.put(path, { scope: 'platform', ...none })).toMatchObject({ status: 403 })
    expect(await owner.put(path, { scope: 'user', ...none })).toMatchObject({ status: 403 })
    expect(await ana.put(path, { scope: 'user', default_model: '', pinned: [] })).toMatchObject({ status: 422 })
  })
})

// The last one: it moves the clock past the end of everybody's session.
describe('a custom model, when the trial of the organization is over', () => {
  it('cannot be made', async () => {
    app.clock.forward({ days: 400 })
    const late = await app.user({ org: 'late' })
    app.clock.forward({ days: 400 })
    const again = await app
      .newcomer()
      .post('/api/auth/login', { email: late.email, password: 'a perfectly fine passphrase' })
    const reply = await late.post(
      '/api/v1/models/create',
      { id: 'too-late', name: 'X', base_model_id: 'swift' },
      { authorization: `Bearer ${again.body.token}` },
    )
    expect(reply).toMatchObject({ status: 403, body: { code: 'trial_expired' } })
  })
})

/** Catalogs and spaces: whose they are, and that a key never comes out again. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createSealer } from '#kernel/crypto/sealer.ts'
import { testSecrets } from '#test/harness/secrets.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { findCatalogUnscoped } from '../queries/catalogs.ts'
import { openEntries } from './catalog-keys.ts'

const app = await sharedApp()
const ana = await app.user({ org: 'catalogs' })
const ben = await app.user({ org: 'catalogs' })
const cid = await app.user({ org: 'catalogs' })
const eve = await app.user()

const catalogs = '/api/v1/catalogs'
const spaces = '/api/v1/spaces'
const entry = (change: object = {}) => ({
  name: 'Main',
  type: 'compat',
  url: 'https://models.example/v1',
  model_ids: ['m', 'm', 'n'],
  ...change,
})
const keysOf = async (id: string, scopeId: string): Promise<(string | null)[]> => {
  const row = await findCatalogUnscoped(app.db, { id, scopeId })
  const sealer = createSealer({ current: testSecrets.SVC_SECRET_KEY, previous: [] })
  return row ? openEntries({ sealer }, row).map(({ key }) => key) : []
}
const scope = ana.organizationId ?? ''

describe('a catalog', () => {
  it('is made, listed, changed and removed by everybody of its scope', async () => {
    const made = await ana.post(catalogs, { name: 'Credentials', entries: [entry({ key: 'sk-one' })] })
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Credentials', description: '', entries: [{ has_key: true, model_ids: ['m', 'n'] }] },
    })
    const { id } = made.body
    expect((await ben.get(`${catalogs}?search=cred`)).body).toMatchObject({ total: 1, items: [{ id }] })
    expect((await ben.patch(`${catalogs}/${id}`, { description: 'ours' })).body).toMatchObject({ description: 'ours' })
    expect((await eve.get(`${catalogs}/${id}`)).body.code).toBe('catalog_not_found')
    expect((await eve.get(catalogs)).body.total).toBe(0)
    expect((await ben.delete(`${catalogs}/${id}`)).status).toBe(204)
    expect((await ana.get(`${catalogs}/${id}`)).status).toBe(404)
  })

  it('keeps its keys sealed, and shows them to nobody', async () => {
    const made = await ana.post(catalogs, { name: 'Sealed', entries: [entry({ key: 'sk-sealed-1' })] })
    const { id } = made.body
    const { rows } = await sql<{ text: string }>`
      select c::text as text from catalogs c where id = ${id}
      union all select a::text from audit_log a where target_id = ${id}`.execute(app.db)
    const texts = [made, await ana.get(`${catalogs}/${id}`), await ana.get(catalogs)].map(({ text }) => text)
    expect([...texts, ...rows.map(({ text }) => text)].join('\n')).not.toContain('sk-sealed-1')
    expect(await keysOf(id, scope)).toEqual(['sk-sealed-1'])
    expect(await keysOf(id, eve.id)).toEqual([])
  })

  it('keeps a key with its entry in any order, until it is replaced, removed or pointed elsewhere', async () => {
    const entries = [entry({ key: 'sk-a' }), entry({ name: 'Spare', key: 'sk-b' })]
    const { id } = (await ana.post(catalogs, { name: 'Keys', entries })).body
    const keysAfter = async (...sent: object[]) => {
      expect((await ana.patch(`${catalogs}/${id}`, { entries: sent })).status).toBe(200)
      return keysOf(id, scope)
    }
    expect(await keysAfter(entry({ name: 'Spare' }), entry({ url: 'https://models.example/v2' }))).toEqual([
      'sk-b',
      'sk-a',
    ])
    expect(await keysAfter(entry({ name: 'Spare', key: 'sk-c' }), entry({ key: null }))).toEqual(['sk-c', null])
    expect(await keysAfter(entry({ name: 'Spare', url: 'https://elsewhere.example' }), entry())).toEqual([null, null])
  })

  it('refuses entries of one name, other addresses than the web’s, and unknown fields', async () => {
    for (const entries of [[entry(), entry()], [entry({ url: 'file:///etc/passwd' })], [entry({ has_key: true })]])
      expect((await ana.post(catalogs, { name: 'x', entries })).status).toBe(422)
    expect((await ana.post(catalogs, { name: 'x', entries: [], scope_id: eve.id })).status).toBe(422)
  })
})

describe('a space', () => {
  it('without members is everybody’s of the scope', async () => {
    const { body } = await ben.post(spaces, { name: 'Common' })
    expect(body).toMatchObject({ name: 'Common', description: '', member_ids: [] })
    expect((await cid.get(`${spaces}/${body.id}`)).status).toBe(200)
    expect((await eve.get(`${spaces}/${body.id}`)).body.code).toBe('space_not_found')
  })

  it('with members is seen by these and by administrators', async () => {
    const { id, member_ids } = (await ben.post(spaces, { name: 'Quiet', member_ids: [ana.id, ana.id] })).body
    expect(member_ids.sort()).toEqual([ana.id, ben.id].sort())
    expect((await cid.get(`${spaces}/${id}`)).status).toBe(404)
    expect((await cid.get(spaces)).text).not.toContain(id)
    expect((await cid.post('/api/v1/agent-workflows', { name: 'x', space_id: id })).body.code).toBe('space_not_found')
    await ana.patch(`${spaces}/${id}`, { name: 'Loud', member_ids: [cid.id] })
    expect((await cid.get(`${spaces}/${id}`)).body).toMatchObject({ name: 'Loud', member_ids: [cid.id] })
    expect((await ben.get(`${spaces}/${id}`)).status).toBe(404)
    expect((await ana.delete(`${spaces}/${id}`)).status).toBe(204)
  })

  it('takes no members from outside', async () => {
    const refused = await ana.post(spaces, { name: 'Mixed', member_ids: [ben.id, eve.id] })
    expect([refused.status, refused.body.code]).toEqual([404, 'member_not_found'])
    expect((await eve.post(spaces, { name: 'Mine', member_ids: [ana.id] })).status).toBe(404)
    expect((await eve.post(spaces, { name: 'Mine', member_ids: [eve.id] })).status).toBe(201)
    expect((await ana.get(`${spaces}?search=Mixed`)).body.total).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { add, ask, collectionsPath as base, create, found, knowledgeApp, upload } from '#test/harness/knowledge.ts'

const { app, ana, colleague, stranger, provider } = await knowledgeApp()

describe('grants', () => {
  it('open a collection for reading or writing, with its files, and stop at once when revoked', async () => {
    const id = await create(ana)
    const file = await upload(ana, 'Shared words.')
    await add(ana, id, file)
    const grant = (permission: string) => ({
      access_grants: [{ principal_type: 'organization', principal_id: ana.organizationId, permission }],
    })
    await ana.post(`${base}/${id}/update`, grant('read'))
    expect((await colleague.get(`${base}/${id}`)).body).toMatchObject({ write_access: false })
    expect((await colleague.get(`${base}/${id}`)).body.access_grants).toBeUndefined()
    expect((await colleague.get(`${base}/`)).body.items.map((item: { id: string }) => item.id)).toContain(id)
    expect(await found(colleague, [id], 'shared')).toEqual(['Shared words.'])
    expect((await colleague.get(`/api/v1/files/${file}/data/content`)).body.content).toBe('Shared words.')
    expect((await colleague.delete(`/api/v1/files/${file}`)).status).toBe(404)
    expect((await colleague.post(`${base}/${id}/reset`)).status).toBe(403)
    expect((await stranger.get(`${base}/${id}`)).status).toBe(404)

    await ana.post(`${base}/${id}/update`, grant('write'))
    const theirs = await upload(colleague, 'Added by a colleague.')
    expect((await add(colleague, id, theirs)).status).toBe(200)
    expect((await colleague.delete(`${base}/${id}/delete`)).status).toBe(403)

    await ana.post(`${base}/${id}/update`, { access_grants: [] })
    expect((await ask(colleague, [id], 'shared')).status).toBe(404)
    expect((await colleague.get(`/api/v1/files/${file}`)).status).toBe(404)
    const files = [{ type: 'collection', id }]
    const completion = { model: 'swift', messages: [{ role: 'user', content: 'shared?' }], files }
    expect((await colleague.post('/api/chat/completions', completion)).status).toBe(404)
  })

  it('to a group hold for its members, until they leave it', async () => {
    const group = (await ana.post('/api/org/groups', { name: 'Readers', memberIds: [colleague.id] })).body
    const access_grants = [{ principal_type: 'group', principal_id: group.id, permission: 'read' }]
    const id = await create(ana, { access_grants })
    // The groups of a person are cached; a signal makes each node forget them.
    const read = async () => (await colleague.get(`${base}/${id}`)).body
    await expect.poll(read).toMatchObject({ id, write_access: false })
    expect((await (await app.user({ org: 'acme' })).get(`${base}/${id}`)).status).toBe(404)
    await ana.delete(`/api/org/groups/${group.id}`)
    await expect.poll(async () => (await colleague.get(`${base}/${id}`)).status).toBe(404)
  })

  it('go only to people of one’s own organization', async () => {
    const access_grants = [{ principal_type: 'user', principal_id: stranger.id, permission: 'read' }]
    const { body } = await ana.post(`${base}/create`, { name: 'Leak', description: '', access_grants })
    expect(body.code).toBe('grant_not_allowed')
    expect((await ana.post(`${base}/create`, { name: 'Open', access_grants: null })).body.code).toBe(
      'grant_not_allowed',
    )
  })
})

describe('A04: a file of somebody else', () => {
  it('is not found by file/add, nor in files[] of a completion; the model never sees it', async () => {
    const secret = await upload(ana, 'The secret is 4711.')
    const own = await create(stranger)
    expect((await add(stranger, own, secret)).status).toBe(404)
    const before = provider.calls().length
    const reply = await stranger.post('/api/chat/completions', {
      model: 'swift',
      messages: [{ role: 'user', content: 'What is the secret?' }],
      files: [{ type: 'file', id: secret, status: 'processed' }],
    })
    expect(reply.status).toBe(404)
    expect(reply.text).not.toContain('4711')
    expect(provider.calls().slice(before)).toEqual([])
  })
})

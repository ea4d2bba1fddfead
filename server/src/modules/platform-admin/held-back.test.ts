import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { workKeyOf } from '#kernel/jobs/deaths.ts'
import { testApp } from '#test/harness/app.ts'
import { uploadText } from '#test/harness/files.ts'
import type { Person } from '#test/harness/people.ts'

const app = await testApp()
const owner = await app.platformOwner()
const path = '/api/admin/held-back'

const statusOf = async (ana: Person, id: string) => (await ana.get(`/api/v1/files/${id}/process/status`)).body

/** As if processing it had ended three servers, and its owner asked for it once more. */
const deadlyFile = async (ana: Person): Promise<string> => {
  const { id } = (await uploadText(ana, `Some words ${randomUUID()}`)).body
  await expect.poll(async () => (await statusOf(ana, id)).status).toBe('completed')
  const data = { fileId: id }
  const row = { ...workKeyOf('files.process', data), data, singletonKey: null, deaths: 3, waiting: [] }
  await app.db.insertInto('jobDeaths').values(row).execute()
  await app.db.updateTable('files').set({ state: 'failed', error: 'x' }).where('id', '=', id).execute()
  await ana.post(`/api/v1/files/${id}/process`)
  await expect.poll(async () => (await statusOf(ana, id)).status).toBe('failed')
  return id
}

const heldOf = async (id: string) => {
  const { body } = await owner.get(path)
  return body.items.find(({ what }: { what: string }) => what.includes(id))
}

describe('held back work in the console', () => {
  it('is shown with whose it is but not what it is called; released, it is done', async () => {
    const ana = await app.user({ org: `org ${app.unknownId()}` })
    const id = await deadlyFile(ana)
    expect((await statusOf(ana, id)).error).toContain('made our server fail')
    const item = await heldOf(id)
    expect(item).toMatchObject({
      kind: 'job',
      owner: { kind: 'organization', id: ana.organizationId },
      reason: 'This ended the server three times.',
      claims: 3,
      canRelease: true,
      canDelete: true,
    })
    expect(item.what).not.toContain('.txt')

    expect((await owner.post(`${path}/job/${item.id}/release`)).status).toBe(204)
    await expect.poll(async () => (await statusOf(ana, id)).status).toBe('completed')
    expect(await owner.post(`${path}/job/${item.id}/release`)).toMatchObject({
      status: 404,
      body: { code: 'held_back_not_found' },
    })
    const { body: audit } = await owner.get('/api/admin/audit?area=held_back')
    expect(audit.items[0]).toMatchObject({ action: 'held_back.release', target: { name: item.what } })
  })

  it('stays failed when it is deleted', async () => {
    const ana = await app.user()
    const id = await deadlyFile(ana)
    const item = await heldOf(id)
    expect(item.owner).toEqual({ kind: 'user', id: ana.id, name: ana.name })
    expect((await owner.delete(`${path}/job/${item.id}`)).status).toBe(204)
    expect(await heldOf(id)).toBeUndefined()
    expect((await statusOf(ana, id)).status).toBe('failed')
  })

  it('of the whole server, which its schedule brings back, can only be released', async () => {
    const id = `files.sweep:${randomUUID()}`
    const since = new Date()
    await app.db
      .insertInto('heldBack')
      .values({ kind: 'job', id, what: 'files.sweep', scopeId: null, claims: 3, reason: 'x', since })
      .execute()
    const { body } = await owner.get(`${path}?kind=job`)
    expect(body.items.filter((item: { id: string }) => item.id === id)).toMatchObject([
      { owner: null, canRelease: true, canDelete: false },
    ])
    expect(await owner.delete(`${path}/job/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'held_back_not_deletable' },
    })
    expect((await owner.get(`${path}?kind=run`)).body).toEqual({ items: [], total: 0 })
    expect((await owner.post(`${path}/job/${id}/release`)).status).toBe(204)
  })
})

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { add, collectionsPath as base, create, found, knowledgeApp, upload } from '#test/harness/knowledge.ts'
import type { Person } from '#test/harness/people.ts'

const { app, ana } = await knowledgeApp()

describe('a collection', () => {
  it('is made equal to a folder in one call: what is missing is named first and changes nothing', async () => {
    const id = await create(ana)
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const [a, b] = ['alpha text', 'beta text']
    const sync = (files: object[]) => ana.post(`${base}/${id}/sync`, { files })
    const listed = [
      { path: 'a.txt', hash: hash(a) },
      { path: 'b/b.txt', hash: hash(b) },
    ]
    expect((await sync(listed)).body).toEqual({
      added: 0,
      changed: 0,
      removed: 0,
      unchanged: 0,
      missing: ['a.txt', 'b/b.txt'],
      deleted: 0,
    })
    const ids = [await upload(ana, a), await upload(ana, b)]
    const given = listed.map((file, index) => ({ ...file, file_id: ids[index] }))
    expect((await sync(given)).body).toMatchObject({ added: 2, unchanged: 0 })
    expect((await sync(listed)).body).toMatchObject({ added: 0, removed: 0, unchanged: 2 })
    const changed = { path: 'a.txt', hash: hash('gamma text'), file_id: await upload(ana, 'gamma text') }
    const preview = await ana.post(`${base}/${id}/sync`, {
      files: [changed, { path: 'new', hash: hash('n') }],
      preview: true,
    })
    expect(preview.body).toEqual({
      added: 1,
      changed: 1,
      removed: 1,
      unchanged: 0,
      missing: ['new'],
      deleted: 2,
      plan: { added: ['new'], changed: [{ path: 'a.txt', hash: hash(a) }], removed: ['b/b.txt'] },
    })
    expect((await sync(listed)).body).toMatchObject({ unchanged: 2 })
    const expecting = (paths: string[]) =>
      ana.post(`${base}/${id}/sync`, { files: [changed], expected_removals: paths })
    expect(await expecting(['gone.txt'])).toMatchObject({ status: 409, body: { code: 'collection_changed' } })
    const replacing = (hashes: string[]) =>
      ana.post(`${base}/${id}/sync`, {
        files: [changed, listed[1]],
        expected_changes: hashes.map((one) => ({ path: 'a.txt', hash: one })),
      })
    for (const hashes of [[], [hash('an older one')]])
      expect(await replacing(hashes)).toMatchObject({ status: 409, body: { code: 'collection_changed' } })
    expect((await sync(listed)).body).toMatchObject({ unchanged: 2 })
    expect((await expecting(['gone.txt', 'b/b.txt'])).body).toEqual({
      added: 0,
      changed: 1,
      removed: 1,
      unchanged: 0,
      missing: [],
      deleted: 2,
    })
    expect(await found(ana, [id], 'text', { k: 10 })).toEqual(['gamma text'])
    for (const file of ids) expect((await ana.get(`/api/v1/files/${file}`)).status).toBe(404)
    const lie = await sync([{ path: 'c.txt', hash: hash('other'), file_id: changed.file_id }])
    expect(lie).toMatchObject({ status: 409, body: { code: 'hash_mismatch' } })
    expect(await found(ana, [id], 'text', { k: 10 })).toEqual(['gamma text'])
  })

  it('takes a file that was added by hand into the folder, and refuses one file under two paths', async () => {
    const id = await create(ana)
    const file = await upload(ana, 'Tide table.', 'tides.txt')
    await add(ana, id, file)
    const sync = (...files: object[]) => ana.post(`${base}/${id}/sync`, { files })
    const listed = { path: 'a.txt', hash: createHash('sha256').update('Tide table.').digest('hex') }
    expect((await sync({ ...listed, file_id: file })).body).toMatchObject({ added: 1, missing: [] })
    expect((await sync(listed)).body).toMatchObject({ added: 0, unchanged: 1, missing: [] })
    const twice = await sync(listed, { ...listed, path: 'b.txt', file_id: file })
    expect(twice).toMatchObject({ status: 400, body: { code: 'duplicate_path' } })
    expect(twice.body.detail).toContain('a.txt and b.txt')
    const both = ['b.txt', 'c.txt'].map((path) => ({ ...listed, path, file_id: file }))
    expect((await sync(...both)).body.code).toBe('duplicate_path')
    expect((await sync({ ...listed, path: 'moved.txt', file_id: file })).body).toMatchObject({ added: 1, removed: 1 })
    expect((await ana.get(`${base}/${id}`)).body.files).toMatchObject([{ id: file, path: 'moved.txt' }])
    expect((await sync()).body).toMatchObject({ removed: 1, deleted: 0 })
    expect((await ana.get(`/api/v1/files/${file}`)).status).toBe(200)
  })

  it('takes files that left the folder with it, except those of others, and those that another collection holds', async () => {
    const [org, hash] = [`org ${app.unknownId()}`, (text: string) => createHash('sha256').update(text).digest('hex')]
    const [bob, eve] = [await app.user({ org }), await app.user({ org })]
    const grant = { principal_type: 'user', principal_id: eve.id, permission: 'write' }
    const [id, other] = [await create(bob, { access_grants: [grant] }), await create(bob)]
    const listed = await Promise.all(
      ['only here', 'also there', 'moved'].map(async (text) => ({
        path: `${text}/README.md`,
        hash: hash(text),
        file_id: await upload(bob, text, 'README.md'),
      })),
    )
    const sync = (person: Person, files: object[], more: object = {}) =>
      person.post(`${base}/${id}/sync`, { files, ...more })
    expect((await sync(bob, listed)).body).toMatchObject({ added: 3, deleted: 0 })
    const [, there, moved] = listed
    await add(bob, other, there?.file_id ?? '')
    const left = [{ ...moved, path: 'elsewhere/README.md' }]
    expect((await sync(bob, left, { preview: true })).body).toMatchObject({ removed: 3, deleted: 1 })
    // Somebody else who may change the collection removes files from it, and deletes none that aren't theirs.
    expect((await sync(eve, [], { preview: true })).body).toMatchObject({ removed: 3, deleted: 0 })
    const both = await Promise.all([sync(bob, left), sync(bob, left)])
    expect(both.map(({ body }) => body.deleted).sort()).toEqual([0, 1])
    const states = await Promise.all(listed.map(({ file_id }) => bob.get(`/api/v1/files/${file_id}`)))
    expect(states.map(({ status }) => status)).toEqual([404, 200, 200])
    expect((await sync(eve, [])).body).toMatchObject({ removed: 1, deleted: 0 })
    expect((await bob.get(`/api/v1/files/${moved?.file_id}`)).status).toBe(200)
  })
})

import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { PDF } from '@libpdf/core'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Db } from '#kernel/db/database.ts'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { processed, uploadBytes, uploadText } from '#test/harness/files.ts'
import type { Person } from '#test/harness/people.ts'
import { startEmbedder } from '#test/peers/embedder.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startSite } from '#test/peers/site.ts'
import { refreshTerms } from './chunks/refresh-terms.ts'
import { createServingEngine } from './embeddings/serving-engine.ts'
import { listChunksUnscoped } from './queries/chunks.ts'
import { searchText } from './retrieval/full-text.ts'

const embedder = await startEmbedder()
const provider = await startModelProvider({ models: ['swift'] })
const dataDir = mkdtempSync(join(tmpdir(), 'chancery-knowledge-'))
let app: TestApp
let ana: Person
let colleague: Person
let stranger: Person
beforeAll(async () => {
  app = await testApp({ env: { ...embedder.env, COMPAT_API_BASE_URL: provider.url, SVC_DATA_DIR: dataDir } })
  ana = await app.user({ org: 'acme' })
  colleague = await app.user({ org: 'acme' })
  stranger = await app.user({ org: 'other' })
})
afterAll(async () => {
  await app.stop()
  await embedder.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const base = '/api/v1/knowledge'
const create = async (person: Person, more: object = {}) =>
  (await person.post(`${base}/create`, { name: 'Notes', description: 'What we know', ...more })).body.id as string
const upload = async (person: Person, text: string, name = 'notes.txt') =>
  (await uploadText(person, text, { name, query: 'process_in_background=false' })).body.id as string
const add = (person: Person, id: string, fileId: string) => person.post(`${base}/${id}/file/add`, { file_id: fileId })
const collectionOf = async (person: Person, ...texts: string[]) => {
  const id = await create(person)
  for (const text of texts) await add(person, id, await upload(person, text))
  return id
}
const ask = (person: Person, names: string[], query: string, more: object = {}) =>
  person.post('/api/v1/retrieval/query/collection', { collection_names: names, query, ...more })
const found = async (person: Person, names: string[], query: string, more: object = {}): Promise<string[]> =>
  (await ask(person, names, query, more)).body.documents[0]

/** A person's usage of a model today. */
const usedBy = async (person: Person, model: string) => {
  const { rows } = (await person.get(`/api/v1/usage?by=model&model=${model}`)).body
  const [{ requests, failures, prompt_tokens: tokens }] = rows
  return { requests, failures, tokens }
}

describe('a collection', () => {
  it('is created private, changed, listed and deleted', async () => {
    const { status, body } = await ana.post(`${base}/create`, { name: 'Harbour', description: 'Ships' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      type: 'collection',
      status: 'processed',
      name: 'Harbour',
      description: 'Ships',
      files: [],
    })
    const path = `${base}/${body.id}`
    expect((await ana.post(`${path}/update`, { name: 'Port' })).body).toMatchObject({
      name: 'Port',
      description: 'Ships',
    })
    expect((await ana.get(`${base}/?search=port`)).body.items.map(({ id }: { id: string }) => id)).toContain(body.id)
    expect((await colleague.get(path)).status).toBe(404)
    expect((await ana.delete(`${path}/delete`)).status).toBe(204)
    expect((await ana.get(path)).status).toBe(404)
  })

  it('takes a file once it is processed; before, 400 says that the content is empty and nothing changes', async () => {
    const id = await create(ana)
    const { body: file } = await uploadText(ana, 'Words.', { query: 'process=false' })
    const early = await add(ana, id, file.id)
    expect(early).toMatchObject({ status: 400, body: { code: 'empty_content' } })
    expect(early.body.detail).toMatch(/content.*empty/i)
    expect((await ana.get(`${base}/${id}`)).body.files).toEqual([])
    await ana.post(`/api/v1/files/${file.id}/process`)
    await processed(ana, file.id)
    expect((await add(ana, id, file.id)).body.files).toMatchObject([{ id: file.id, data: { status: 'completed' } }])
    expect((await add(ana, id, file.id)).body.files).toHaveLength(1)
  })

  it('takes a file that is still being processed as soon as it is completed, also after a failure and a retry', async () => {
    const id = await create(ana, {
      access_grants: [{ principal_type: 'user', principal_id: colleague.id, permission: 'read' }],
    })
    const { body: file } = await uploadText(ana, 'Patience.', { query: 'process=false' })
    const wait = () => ana.post(`${base}/${id}/file/add?when_processed=true`, { file_id: file.id })
    expect((await wait()).body).toMatchObject({ files: [], waiting: [{ id: file.id, data: {} }] })
    expect((await wait()).body.waiting).toHaveLength(1)
    expect((await colleague.get(`${base}/${id}`)).body.waiting).toBeUndefined()
    expect((await colleague.get(`/api/v1/files/${file.id}`)).status).toBe(404)
    await ana.post(`/api/v1/files/${file.id}/process/cancel`)
    await ana.post(`/api/v1/files/${file.id}/process`)
    await processed(ana, file.id)
    const { body } = await colleague.get(`${base}/${id}`)
    expect(body).toMatchObject({ files: [{ id: file.id, data: { status: 'completed' } }] })
    expect((await ana.get(`${base}/${id}`)).body.waiting).toBeUndefined()
    expect((await wait()).body.files).toHaveLength(1)
    const { body: other } = await uploadText(ana, 'Never mind.', { query: 'process=false' })
    await ana.post(`${base}/${id}/file/add?when_processed=true`, { file_id: other.id })
    const removed = await ana.post(`${base}/${id}/file/remove`, { file_id: other.id })
    expect(removed).toMatchObject({ status: 200, body: { files: [{ id: file.id }] } })
    expect(removed.body.waiting).toBeUndefined()
  })

  it('takes an upload that names it in one request, so that no closed tab comes in between', async () => {
    const id = await create(ana, {
      access_grants: [{ principal_type: 'user', principal_id: colleague.id, permission: 'read' }],
    })
    const into = (person: Person, query = '') =>
      uploadText(person, 'Straight in.', { query: `collection_id=${id}${query}` })
    const { body: waiting } = await into(ana, '&process=false')
    expect((await ana.get(`${base}/${id}`)).body).toMatchObject({ files: [], waiting: [{ id: waiting.id }] })
    const { body: file } = await into(ana, '&process_in_background=false')
    expect((await ana.get(`${base}/${id}`)).body.files).toMatchObject([{ id: file.id }])
    for (const [person, status] of [
      [colleague, 403],
      [stranger, 404],
    ] as const) {
      const { total } = (await person.get('/api/v1/files/')).body
      expect((await into(person)).status).toBe(status)
      expect((await person.get('/api/v1/files/')).body.total).toBe(total)
    }
  })

  it('loses a file that is removed, and everything when it is reset; the files stay', async () => {
    const id = await create(ana)
    const [one, two] = [await upload(ana, 'First words.'), await upload(ana, 'Second words.')]
    await add(ana, id, one)
    await add(ana, id, two)
    const removed = await ana.post(`${base}/${id}/file/remove`, { file_id: one })
    expect(removed.body.files.map((file: { id: string }) => file.id)).toEqual([two])
    expect(await found(ana, [id], 'first words', { k: 10 })).toEqual(['Second words.'])
    expect((await ana.post(`${base}/${id}/reset`)).body.files).toEqual([])
    expect(await found(ana, [id], 'words')).toEqual([])
    expect((await ana.get(`/api/v1/files/${one}`)).status).toBe(200)
  })

  it('loses a file that is deleted, with its chunks', async () => {
    const id = await create(ana)
    const file = await upload(ana, 'Soon gone.')
    await add(ana, id, file)
    expect(await found(ana, [id], 'gone')).toEqual(['Soon gone.'])
    await ana.delete(`/api/v1/files/${file}`)
    expect(await found(ana, [id], 'gone')).toEqual([])
    expect((await ana.get(`${base}/${id}`)).body.files).toEqual([])
    const chunks = await app.db.selectFrom('knowledgeChunks').select('id').where('fileId', '=', file).execute()
    expect(chunks).toEqual([])
  })

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

  it('is indexed again in the background, and says so meanwhile', async () => {
    const id = await collectionOf(ana, 'Indexed words.')
    const { status, body } = await ana.post(`${base}/${id}/reindex`)
    expect(status).toBe(202)
    expect(['processing', 'processed']).toContain(body.status)
    await expect.poll(async () => (await ana.get(`${base}/${id}`)).body.status).toBe('processed')
    expect(await found(ana, [id], 'indexed')).toEqual(['Indexed words.'])
    const members = app.db.selectFrom('knowledgeFiles').select('fileId').where('collectionId', '=', id)
    const mark = (isStale: boolean) =>
      app.db.updateTable('knowledgeDocuments').set({ isStale }).where('fileId', 'in', members).execute()
    await mark(true)
    const busy = (await ana.get(`${base}/?status=processing`)).body.items
    expect(busy).toMatchObject([{ id, reindexing: { done: 0, total: 1 } }])
    await mark(false)
  })
})

describe('changes at the same time', () => {
  it('by more people than the database has connections do not wait for each other', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => app.user({ org: 'acme' })))
    const ids = await Promise.all(people.map((person) => create(person)))
    app.clock.forward({ minutes: 1 })
    const replies = await Promise.all(people.map((person, i) => person.post(`${base}/${ids[i]}/update`, { name: 'B' })))
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
  })

  it('of one collection and its files do not block each other', async () => {
    const id = await create(ana)
    const ids = await Promise.all([1, 2, 3, 4].map((n) => upload(ana, `Busy words ${n}.`)))
    const replies = await Promise.all([
      ...ids.map((fileId) => add(ana, id, fileId)),
      ...[1, 2, 3].map(() => ana.post(`${base}/${id}/reindex`)),
      ...ids.slice(0, 2).map((fileId) => ana.delete(`/api/v1/files/${fileId}`)),
      ana.post(`${base}/${id}/reset`),
      ...ids.slice(2).map((fileId) => add(ana, id, fileId)),
    ])
    for (const { status } of replies) expect([200, 202, 204, 404]).toContain(status)
    await expect.poll(async () => (await ana.get(`${base}/${id}`)).body.status).toBe('processed')
  })

  it('finish indexing a file again when the collection that asked for it is deleted or emptied first', async () => {
    const kept = await collectionOf(ana, 'Shared words.')
    const fileId = (await ana.get(`${base}/${kept}`)).body.files[0].id
    for (const end of ['delete', 'reset']) {
      const asking = await create(ana)
      await add(ana, asking, fileId)
      await ana.post(`${base}/${asking}/reindex`)
      await (end === 'delete' ? ana.delete(`${base}/${asking}/delete`) : ana.post(`${base}/${asking}/reset`))
      await expect.poll(async () => (await ana.get(`${base}/${kept}`)).body.status).toBe('processed')
    }
  })
})

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

describe('an image in a message', () => {
  it('reaches a model that can see, named by its file; other models and foreign files are refused', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    )
    const { body: file } = await uploadBytes(ana, png, { name: 'dot.png', type: 'image/png', query: 'process=false' })
    const show = (person: Person, fileId: string, model = 'swift') =>
      person.post('/api/chat/completions', {
        model,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image_url', image_url: { url: `/api/v1/files/${fileId}/content` } },
            ],
          },
        ],
      })
    expect((await show(ana, file.id)).status).toBe(200)
    const url = `data:image/png;base64,${png.toString('base64')}`
    expect(provider.calls().at(-1)?.body.messages.at(-1).content.at(-1)).toEqual({
      type: 'image_url',
      image_url: { url },
    })
    const before = provider.calls().length
    expect((await show(stranger, file.id)).status).toBe(404)
    expect((await show(ana, await upload(ana, 'No picture.'))).body.code).toBe('not_an_image')
    const owner = await app.platformOwner()
    const blind = {
      id: 'blind',
      name: 'Blind',
      base_model_id: 'swift',
      meta: { capabilities: ['tools'] },
      access_grants: null,
    }
    await owner.post('/api/v1/models/create', blind)
    expect((await show(ana, file.id, 'blind')).body.code).toBe('model_cannot_see')
    expect(provider.calls()).toHaveLength(before)
  })
})

describe('a large image', () => {
  const { PhotonImage } = createRequire(import.meta.url)('@silvia-odwyer/photon-node')
  const noise = new Uint8Array(2000 * 100 * 4).map((_value, index) => (index % 4 === 3 ? 255 : (index * 7919) % 251))
  const picture = Buffer.from(new PhotonImage(noise, 2000, 100).get_bytes())
  const shown = async (fileId: string) => {
    const image = { type: 'image_url', image_url: { url: `/api/v1/files/${fileId}/content` } }
    const reply = await ana.post('/api/chat/completions', {
      model: 'swift',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }],
    })
    return { ...reply, url: String(provider.calls().at(-1)?.body.messages[0].content.at(-1).image_url?.url) }
  }
  const uploadImage = async (bytes: Uint8Array) =>
    (await uploadBytes(ana, bytes, { name: 'wide.png', type: 'image/png', query: 'process=false' })).body.id as string

  it('is made smaller for the model, once; the file stays as it was and takes the smaller one with it', async () => {
    const id = await uploadImage(picture)
    const { status, url } = await shown(id)
    expect(status).toBe(200)
    const [type, data = ''] = url.split(';base64,')
    expect(type).toBe('data:image/png')
    const small = PhotonImage.new_from_byteslice(Buffer.from(data, 'base64'))
    expect([small.get_width(), small.get_height()]).toEqual([1568, 78])
    const kept = () => app.db.selectFrom('fileImages').selectAll().where('fileId', '=', id).execute()
    const [first] = await kept()
    expect((await shown(id)).url).toBe(url)
    expect(await kept()).toEqual([first])
    const original = await ana.get(`/api/v1/files/${id}`)
    expect(original.body.hash).toBe(createHash('sha256').update(picture).digest('hex'))
    const stored = () => globSync(`**/${first?.blobKey?.replaceAll('/', '_')}`, { cwd: dataDir })
    expect(stored()).toHaveLength(1)
    await ana.delete(`/api/v1/files/${id}`)
    await expect.poll(stored).toEqual([])
  })

  const pngPart = (type: string, data: Buffer) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    const named = Buffer.concat([Buffer.from(type), data])
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  /** A billion pixels in 300 kB. */
  const bomb = () => {
    const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
    head.writeUInt32BE(32_000, 0)
    head.writeUInt32BE(32_000, 4)
    const parts = [pngPart('IHDR', head), pngPart('tEXt', Buffer.alloc(300_000, 'a')), pngPart('IDAT', Buffer.alloc(9))]
    return Buffer.concat([picture.subarray(0, 8), ...parts, pngPart('IEND', Buffer.alloc(0))])
  }

  it.each([
    ['is damaged', () => picture.subarray(0, 300_000)],
    ['has a billion pixels (A29)', bomb],
  ])('that %s is refused with a sentence', async (_how, bytes) => {
    const { status, body } = await shown(await uploadImage(bytes()))
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'image_unreadable' })
  })
})

describe('a question', () => {
  it('is answered by words: rare ones weigh more, and word forms don’t matter', async () => {
    const id = await collectionOf(
      ana,
      'The harbour opens at six. The office opens at eight. Everything opens sometime.',
      'A lighthouse keeper was counting all the wandering whales.',
      'The opening hours are printed on the door.',
    )
    const [best] = await found(ana, [id], 'When were the whales counted, and who opens?')
    expect(best).toContain('wandering whales')
  })

  it('in a large collection finds what holds the rare words first, and then what holds the frequent ones', async () => {
    const file = await upload(ana, 'The harbour opens early.')
    const id = await create(ana)
    await add(ana, id, file)
    await sql`
      insert into knowledge_chunks (file_id, position, text, word_count, text_hash, search)
      select ${file}::uuid, n, text, 4, sha256(text::bytea), to_tsvector('english', text)
      from (
        select n, concat('harbour notice ', n, case when n in (700, 1900) then ' lantern' when n = 2500 then ' lantern lantern' end) as text
        from generate_series(1, 3000) as n
      ) as given`.execute(app.db)
    const positionsOf = async (query: string) => {
      const hits = await searchText(app.db, { collectionIds: [id], fileIds: [] }, { query, limit: 5 })
      const rows = await listChunksUnscoped(
        app.db,
        hits.map((hit) => hit.id),
      )
      return hits.map((hit) => rows.find((row) => row.id === hit.id)?.position)
    }
    // Large scopes are searched in another way, and must be ranked the same.
    for (const chunks of [3001, 13_001]) {
      await sql`update knowledge_documents set chunk_count = ${chunks}, word_count = ${chunks * 4} where file_id = ${file}`.execute(
        app.db,
      )
      const [first, ...others] = await positionsOf('harbour lantern')
      expect(first).toBe(2500)
      expect(others.slice(0, 2).toSorted()).toEqual([1900, 700])
      expect(others).toHaveLength(4)
      expect(await positionsOf('lantern nowhere')).toHaveLength(3)
    }
  })

  it('is answered by meaning where no word is the same', async () => {
    const id = await collectionOf(
      ana,
      'The physician saw the child.',
      'Cash was kept in a drawer.',
      'A vessel left the bay.',
    )
    expect((await found(ana, [id], 'doctor', { k: 1 }))[0]).toContain('physician')
    expect((await found(ana, [id], 'money', { k: 1 }))[0]).toContain('Cash')
  })

  it('tells on request why each passage was found, and how a file was cut', async () => {
    const facts = { engine: 'compat', model: 'mini', semantic: true, vector_index: 'memory' }
    expect((await ana.get('/api/v1/retrieval/')).body).toMatchObject(facts)
    const file = await upload(ana, 'The physician saw the child.')
    const name = `file-${file}`
    expect((await ask(ana, [name], 'doctor')).body.reasons).toBeUndefined()
    const byMeaning = (await ask(ana, [name], 'doctor', { explain: true })).body.reasons[0][0]
    expect(byMeaning).toMatchObject({ meaning: { rank: 1, similarity: expect.closeTo(0.9, 1) } })
    expect(byMeaning.words).toBeUndefined()
    const byWords = (await ask(ana, [name], 'child', { explain: true })).body.reasons[0][0]
    expect(byWords.words).toMatchObject({ rank: 1, coverage: 1 })
    expect((await ana.get(`/api/v1/retrieval/files/${file}/chunks`)).body).toEqual({
      items: [{ position: 0, text: 'The physician saw the child.' }],
      total: 1,
      embedded: 1,
    })
  })

  it('leaves out passages below a threshold, and files that don’t fit the filter', async () => {
    const id = await create(ana)
    const files = [
      await upload(ana, 'The ferry leaves at nine from the north pier.', 'Ferry times.txt'),
      await upload(ana, 'The ferry has a café on board.', 'ship.md'),
    ]
    for (const file of files) await add(ana, id, file)
    const names = async (more: object) =>
      (await ask(ana, [id], 'ferry leaves pier', more)).body.metadatas[0].map(({ name }: { name: string }) => name)
    expect(await names({})).toEqual(['Ferry times.txt', 'ship.md'])
    expect(await names({ threshold: 0.99, hybrid: true })).toEqual(['Ferry times.txt'])
    expect(await names({ filter: { name: 'SHIP' } })).toEqual(['ship.md'])
    expect(await names({ filter: { file_ids: files.slice(0, 1) } })).toEqual(['Ferry times.txt'])
    expect(await names({ filter: { content_type: 'application/' } })).toEqual([])
    expect(await names({ filter: { source: 'https://' } })).toEqual([])
    const foreign = await upload(stranger, 'The ferry leaves from a secret pier.')
    expect(await names({ filter: { file_ids: [foreign] } })).toEqual([])
  })

  it('is asked of files by when they came and by their own metadata', async () => {
    const id = await create(ana)
    const store = async (name: string, metadata: object) => {
      const query = `collection_id=${id}&process_in_background=false`
      return (await uploadText(ana, `${name} costs nine crowns.`, { name, query, metadata: JSON.stringify(metadata) }))
        .body
    }
    const old = await store('Old price', { year: 2024, area: 'north' })
    await store('New price', { year: 2025, area: 'north' })
    expect(old.meta.data).toEqual({ year: 2024, area: 'north' })
    await sql`update files set created_at = now() - interval '2 days' where id = ${old.id}`.execute(app.db)
    const names = async (filter: object) =>
      (await ask(ana, [id], 'crowns', { filter })).body.metadatas[0].map(({ name }: { name: string }) => name).sort()
    const yesterday = old.created_at - 86_400
    expect(await names({ metadata: { area: 'north' } })).toEqual(['New price', 'Old price'])
    expect(await names({ metadata: { year: 2024, area: 'north' } })).toEqual(['Old price'])
    expect(await names({ metadata: { year: '2024' } })).toEqual([])
    expect(await names({ created_after: yesterday })).toEqual(['New price'])
    expect(await names({ created_before: yesterday })).toEqual(['Old price'])
    const unstorable = ['{"a":"x\\u0000"}', '{"a":"\\ud800"}', '{"a\\u0000":1}', '{"a":1e999}']
    for (const metadata of ['no JSON', '[1]', '{"a":{"b":1}}', '{"constructor":1}', '{"a b":1}', ...unstorable])
      expect((await uploadText(ana, 'x', { metadata })).status).toBe(422)
  })

  it('is put in the order of the reranker, if one is set and answers', async () => {
    const id = await collectionOf(ana, 'Apples grow on trees.', 'Apples and pears grow on trees here.')
    const asked: unknown[] = []
    let answer = { status: 200, body: '' }
    const site = await startSite(({ path, body, headers }, response) => {
      asked.push({ path, key: headers.authorization, body: JSON.parse(body) })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
    onTestFinished(() => site.close())
    const owner = await app.platformOwner()
    const set = (url: string | null) =>
      owner.post('/api/v1/configs', {
        'rag.reranking.url': url,
        'rag.reranking.model': url && 'judge',
        'rag.reranking.key': url && 'judge-key',
      })
    const before = await found(ana, [id], 'apples')
    await set(`${site.origin}/v1/`)
    const results = [0.2, 0.9].map((score, index) => ({ index, relevance_score: score }))
    answer = { status: 200, body: JSON.stringify({ results, usage: { total_tokens: 77 } }) }
    const { body } = await ask(ana, [id], 'apples', { explain: true })
    expect(body.documents[0]).toEqual(before.toReversed())
    expect(body.distances[0]).toEqual([0.9, 0.2])
    expect(body.reasons[0][0]).toMatchObject({ reranked: { score: 0.9 } })
    expect(await usedBy(ana, 'judge')).toEqual({ requests: 1, failures: 0, tokens: 77 })
    const sent = { model: 'judge', query: 'apples', documents: before, top_n: 2 }
    for (const usage of [null, 'none', { total_tokens: null }]) {
      answer = { status: 200, body: JSON.stringify({ results, usage }) }
      expect(await found(ana, [id], 'apples')).toEqual(before.toReversed())
    }
    expect(asked.splice(1)).toHaveLength(3)
    expect(asked).toEqual([{ path: '/v1/rerank', key: 'Bearer judge-key', body: sent }])
    expect(await found(ana, [id], 'apples', { threshold: 0.5 })).toEqual([before[1]])
    expect(await found(ana, [id], 'apples', { rerank: false })).toEqual(before)
    // It is asked about thirty at most; the others are found all the same.
    const file = await upload(ana, 'Plums of tree number 0.')
    await sql`
      insert into knowledge_chunks (file_id, position, text, word_count, text_hash, search)
      select ${file}::uuid, n * 10, text, 5, sha256(text::bytea), to_tsvector('english', text)
      from (select n, concat('Plums of tree number ', n, '.') as text from generate_series(1, 31) as n) as given`.execute(
      app.db,
    )
    await sql`update knowledge_documents set chunk_count = 32, word_count = 160 where file_id = ${file}`.execute(app.db)
    expect(await found(ana, [`file-${file}`], 'plums', { k: 40 })).toHaveLength(32)
    expect((asked.at(-1) as { body: { documents: unknown[] } }).body.documents).toHaveLength(30)
    answer = { status: 500, body: '{}' }
    expect(await found(ana, [id], 'apples')).toEqual(before)
    expect(await usedBy(ana, 'judge')).toMatchObject({ failures: 1 })
    await set(null)
  })

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

  it('is answered in German, and in scripts without spaces', async () => {
    const id = await collectionOf(
      ana,
      'Die Häuser am Hafen wurden von den Fischern gebaut und sind nicht mehr bewohnt.',
      '東京の天気は晴れです。明日は雨が降るでしょう。',
    )
    expect((await found(ana, [id], 'Haus eines Fischers', { k: 1 }))[0]).toContain('Häuser')
    expect((await found(ana, [id], '明日の雨', { k: 1 }))[0]).toContain('雨が降る')
  })

  it('ranks a word above its parts, also in files that an older version indexed by pairs of characters', async () => {
    const [apart, whole] = ['東京。京都。東京。京都。', 'これは東京都の天気についての長い話です。']
    const file = await upload(ana, whole)
    const id = await collectionOf(ana, apart)
    await add(ana, id, file)
    const ask = async () => (await found(ana, [id], '東京都')).slice(0, 2)
    expect(await ask()).toEqual([whole, apart])
    await sql`update knowledge_chunks set search = to_tsvector('simple', 'これ れは は東 東京 京都') where file_id = ${file}`.execute(
      app.db,
    )
    await sql`update knowledge_documents set terms_version = 1 where file_id = ${file}`.execute(app.db)
    expect(await ask()).toEqual([apart, whole])
    const lockUnscoped = async (tx: Db, ids: readonly string[]) =>
      (await tx.selectFrom('files').select('id').where('id', 'in', ids).forShare().execute()).map(
        ({ id: found }) => found,
      )
    const files = { lockUnscoped }
    await refreshTerms({ db: app.db, files }, new AbortController().signal)
    expect(await ask()).toEqual([whole, apart])
    // A long document is read in parts.
    await sql`insert into knowledge_chunks (file_id, position, text, word_count, text_hash, search)
      select ${file}, n, '東京都', 2, '', '' from generate_series(1001, 1450) n`.execute(app.db)
    await sql`update knowledge_documents set terms_version = 1 where file_id = ${file}`.execute(app.db)
    await refreshTerms({ db: app.db, files }, new AbortController().signal)
    const { rows } = await sql`select from knowledge_chunks where file_id = ${file} and search @@ '東京都'`.execute(
      app.db,
    )
    expect(rows).toHaveLength(451)
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

  it('to a file by its name, or to several collections, joins neighbours and tells where they are from', async () => {
    const long = Array.from({ length: 40 }, (_, n) => `Sentence ${n} speaks of otters and rivers.`).join(' ')
    const file = await upload(ana, `# Otters\n\n${long}`, 'otters.md')
    const { body } = await ask(ana, [`file-${file}`, await collectionOf(ana, 'Otters sleep.')], 'otters rivers', {
      k: 3,
    })
    const [documents, metadatas, distances] = [body.documents[0], body.metadatas[0], body.distances[0]]
    expect(documents.length).toBe(metadatas.length)
    expect(distances).toEqual(distances.toSorted((one: number, other: number) => other - one))
    expect(metadatas[0]).toMatchObject({ file_id: file, name: 'otters.md', heading: 'Otters' })
    const whole = documents.find((text: string) => text.length > 1200) ?? ''
    for (let n = 0; n < 40; n += 1) expect(whole.split(`Sentence ${n} `).length).toBeLessThanOrEqual(2)
  })

  it.each(["'); drop table files; --", '\\ | & ! ( ) : *', '"" \u0000', "O'Neil's \\backslash", '🚀'])(
    'with odd characters is only a question: %s',
    async (query) => {
      const id = await collectionOf(ana, "O'Neil wrote a backslash.")
      expect([200, 400]).toContain((await ask(ana, [id], query)).status)
    },
  )
})

describe('files of a completion', () => {
  const complete = (person: Person, files: object[], content: string, more: object = {}) =>
    person.post('/api/chat/completions', { model: 'swift', messages: [{ role: 'user', content }], files, ...more })
  const sent = () => JSON.stringify(provider.calls().at(-1)?.body.messages)

  it('are given whole where they fit, numbered, with their sources', async () => {
    const file = await upload(ana, '# Rules\n\nNo running.\n\n# Fees\n\nNine crowns.', 'rules.md')
    const { status, body } = await complete(ana, [{ type: 'file', id: file }], 'Summarise this.')
    expect(status).toBe(200)
    expect(sent()).toContain('No running.')
    expect(sent()).toContain('Nine crowns.')
    expect(sent()).toMatch(/\[1\] rules\.md/)
    expect(body.sources[0]).toMatchObject({
      source: { id: file, name: 'rules.md', type: 'file' },
      metadata: [{ file_id: file }],
    })
  })

  it('are cited with the page', async () => {
    const pdf = PDF.create()
    for (const text of ['The harbour opens at six.', 'Mooring costs nine crowns.'])
      pdf.addPage({ size: 'a4' }).drawText(text, { x: 50, y: 700 })
    const given = { name: 'harbour.pdf', type: 'application/pdf', query: 'process_in_background=false' }
    const { body: file } = await uploadBytes(ana, await pdf.save(), given)
    const { metadatas } = (await ask(ana, [`file-${file.id}`], 'mooring crowns', { k: 1 })).body
    expect(metadatas[0]).toMatchObject([{ name: 'harbour.pdf', page: 2 }])
    const { body } = await complete(ana, [{ type: 'file', id: file.id }], 'What does mooring cost?')
    expect(sent()).toMatch(/\[\d\] harbour\.pdf, page 2\\nMooring costs/)
    expect(body.sources.flatMap((one: { metadata: { page: number }[] }) => one.metadata)).toContainEqual(
      expect.objectContaining({ page: 2 }),
    )
  })

  it('in a collection are searched, and the sources come first in a stream', async () => {
    const id = await collectionOf(ana, 'The ferry leaves at nine.', 'Cats sleep a lot.')
    const streamed = await complete(ana, [{ type: 'collection', id }], 'When does the ferry leave?', { stream: true })
    const [first = ''] = streamed.text.split('\n\n')
    expect(JSON.parse(first.slice(6)).sources[0].document).toEqual(['The ferry leaves at nine.'])
    expect(sent()).toContain('The ferry leaves at nine.')
  })

  it('that are not processed are left out', async () => {
    const { body } = await uploadText(ana, 'Not read yet.', { query: 'process=false' })
    expect((await complete(ana, [{ type: 'file', id: body.id }], 'What?')).status).toBe(200)
    expect(sent()).not.toContain('Not read yet.')
  })

  it('that an earlier message brought are left out once they are gone; those of the question are not found', async () => {
    const [kept, gone] = [await upload(ana, 'The ferry is blue.'), await upload(ana, 'It was green.')]
    const id = await create(ana)
    await ana.delete(`/api/v1/files/${gone}`)
    await ana.delete(`${base}/${id}/delete`)
    const [file, collection] = [
      { type: 'file', id: gone },
      { type: 'collection', id },
    ]
    const earlier = [file, collection, { type: 'file', id: 'no id' }].map((one) => ({ ...one, earlier: true }))
    expect((await complete(ana, [...earlier, { type: 'file', id: kept }], 'Which colour?')).status).toBe(200)
    expect(sent()).toContain('The ferry is blue.')
    expect((await complete(ana, earlier, 'And now?')).status).toBe(200)
    for (const one of [file, collection]) expect((await complete(ana, [one], 'And now?')).status).toBe(404)
  })
})

describe('search_knowledge', () => {
  it('finds what its caller may read, and nothing else', async () => {
    await collectionOf(ana, 'The zeppelin landed at noon.')
    const run = async (person: Person, more: object = {}) => {
      provider.script(
        { toolCalls: [{ name: 'search_knowledge', arguments: { query: 'zeppelin', ...more } }] },
        { text: 'Done.' },
      )
      const messages = [{ role: 'user', content: 'Where is the zeppelin?' }]
      await person.post('/api/chat/completions', { model: 'swift', messages, tool_ids: ['builtin:knowledge'] })
      return provider.calls().at(-1)?.body.messages.at(-1).content as string
    }
    expect(await run(ana)).toContain('landed at noon')
    expect(await run(stranger)).toBe('Nothing was found.')
    expect(await run(ana, { collections: Array(51).fill('notes') })).toContain('at most 50')
  })
})

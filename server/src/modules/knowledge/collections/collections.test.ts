import { describe, expect, it } from 'vitest'
import { processed, uploadText } from '#test/harness/files.ts'
import {
  add,
  collectionsPath as base,
  collectionOf,
  create,
  found,
  knowledgeApp,
  upload,
} from '#test/harness/knowledge.ts'
import type { Person } from '#test/harness/people.ts'

const { app, ana, colleague, stranger } = await knowledgeApp()

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

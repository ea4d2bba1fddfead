/** What happens to an upload on its way into a document. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { createVictim } from '#test/harness/failpoints.ts'
import { activePdf, encryptedPdf, foreignSignedPdf, plainPdf, pngOf } from '#test/harness/pdfs.ts'
import type { Person } from '#test/harness/people.ts'
import { onePage, rawPdf } from '#test/harness/raw-pdf.ts'
import {
  documentsPath as base,
  getDocument,
  makeDraft,
  makePdf,
  sendDraft,
  sendForm,
  visitorsOf,
} from '#test/harness/signing.ts'
import { startPoppler } from '#test/peers/poppler.ts'

const poppler = startPoppler()
const victim = createVictim()
const env = { SVC_DATA_DIR: await mkdtemp(join(tmpdir(), 'chancery-uploads-')) }
const app = await testApp({ env, failpoints: victim })
afterAll(() => rm(env.SVC_DATA_DIR, { recursive: true, force: true }))
let ana: Person
beforeAll(async () => {
  ana = await app.user({ name: 'Ana Owner', isProven: true })
})

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const upload = (bytes: Buffer, fields: Record<string, string> = {}, headers = {}) =>
  sendForm(ana, base, { files: [{ name: 'contract.pdf', bytes }], fields }, headers)
const bytesOf = async (who: Person, path: string) => {
  const reply = await fetch(app.url + path, { headers: { authorization: `Bearer ${who.token}` } })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}
interface Entry {
  type: string
  detail: Record<string, unknown>
}
const entriesOf = async (id: string): Promise<Entry[]> => (await ana.get(`${base}/${id}/audit`)).body.entries
const stored = async (): Promise<string[]> =>
  (await readdir(join(env.SVC_DATA_DIR, 'blobs'), { recursive: true })).filter((name) => name.includes('_')).sort()
const originalsOf = (id: string) => app.db.selectFrom('signingFiles').select('originalId').where('documentId', '=', id)

const xfa = rawPdf(onePage({ catalog: '/AcroForm << /Fields [] /XFA [(form) 4 0 R] >>' }))
const twice = rawPdf([...onePage(), [4, '<< /Length 0 >>\nstream\n\nendstream']])
const damaged = rawPdf(onePage({ content: 'BT /F9 20 Tf (Shown) Tj ET' }))

describe('an upload that is refused', () => {
  it.each<[string, () => Promise<Buffer> | Buffer, Record<string, string>, number]>([
    ['pdf_encrypted', () => encryptedPdf('secret'), {}, 422],
    ['pdf_password_wrong', () => encryptedPdf('secret'), { password: 'other' }, 422],
    ['pdf_signed', foreignSignedPdf, {}, 422],
    ['pdf_signed', foreignSignedPdf, { acceptsSigned: 'false' }, 422],
    ['pdf_xfa', () => xfa, {}, 422],
    ['pdf_readers_disagree', () => twice, {}, 422],
    ['pdf_damaged', () => damaged, {}, 422],
    ['not_a_pdf', () => Buffer.from('just text'), {}, 415],
    ['validation_failed', () => makePdf(), { acceptsSigned: 'yes' }, 422],
    ['validation_failed', () => makePdf(), { password: 'x'.repeat(128) }, 422],
  ])('%s: makes no document and leaves no bytes, new or added to a draft', async (code, make, fields, status) => {
    const draft = await makeDraft(ana)
    const before = await stored()
    const bytes = await make()
    expect(await upload(bytes, fields)).toMatchObject({ status, body: { code } })
    const added = await sendForm(ana, `${base}/${draft.id}/files`, { files: [{ name: 'a.pdf', bytes }], fields })
    expect(added).toMatchObject({ status, body: { code } })
    expect((await getDocument(ana, draft.id)).files).toHaveLength(1)
    await expect.poll(stored).toEqual(before)
  })

  it('among others is named, and the others are not kept', async () => {
    const before = await stored()
    const files = [
      { name: 'good.pdf', bytes: makePdf() },
      { name: 'locked.pdf', bytes: await encryptedPdf('secret') },
    ]
    const reply = await sendForm(ana, base, { files })
    expect(reply.body).toMatchObject({ code: 'pdf_encrypted', detail: expect.stringMatching(/^locked\.pdf: /) })
    await expect.poll(stored).toEqual(before)
  })
})

describe('an upload that is accepted', () => {
  it('with its password is shown without one, and the sender is told what was removed', async () => {
    const file = await encryptedPdf('secret')
    const { status, body } = await upload(file, { password: 'secret' })
    expect(status).toBe(201)
    expect(body.files[0]).toMatchObject({ removed: [{ kind: 'restrictions', count: 1, pages: [] }] })
    const original = await bytesOf(ana, `${base}/${body.id}/file`)
    expect(poppler.text(original.bytes)).toContain('Original page 1')
    expect(JSON.stringify(await entriesOf(body.id))).not.toContain('secret')
    const added = await sendForm(ana, `${base}/${body.id}/files`, {
      files: [{ name: 'annex.pdf', bytes: file }],
      fields: { password: 'owner' },
    })
    expect(added.body.files).toHaveLength(2)
  })

  it('with the password of another file where it needs none', async () => {
    const files = [
      { name: 'locked.pdf', bytes: await encryptedPdf('secret') },
      { name: 'open.pdf', bytes: await encryptedPdf() },
      { name: 'plain.pdf', bytes: await plainPdf() },
    ]
    expect((await sendForm(ana, base, { files, fields: { password: 'secret' } })).status).toBe(201)
  })

  it('although it is signed, as a new document, has its signatures listed and noted', async () => {
    const { body } = await upload(await foreignSignedPdf(), { acceptsSigned: 'true' })
    expect(body.files[0]).toMatchObject({
      hasSignatures: true,
      removed: expect.arrayContaining([{ kind: 'signatures', count: 1, pages: [] }]),
      earlierSignatures: [{ subject: expect.stringContaining('CN=Somebody else') }],
    })
    expect((await entriesOf(body.id))[1]).toMatchObject({
      type: 'file_added',
      detail: { hasSignatures: true, earlierSignatures: 1 },
    })
  })

  it('keeps what a foreign file says about itself storable and short', async () => {
    const name = `(${'A\\000\\377'.repeat(400)})`
    const form = '/AcroForm << /Fields [10 0 R] >>'
    const field = `<< /Type /Annot /Subtype /Widget /FT /Tx /T ${name} /Rect [50 50 90 70] >>`
    const { status, body } = await upload(
      rawPdf(onePage({ catalog: form, page: '/Annots [10 0 R]', more: [[10, field]] })),
    )
    expect(status).toBe(201)
    const { proposals } = (await ana.get(`${base}/${body.id}/field-proposals`)).body
    expect(proposals).toMatchObject([{ source: 'form', page: 1 }])
    expect(proposals[0].label.length).toBeLessThanOrEqual(200)
  })
})

describe('the versions of a file', () => {
  it('are what came, for the sender alone and with a note, and what everybody is shown', async () => {
    const boss = await app.user({ org: 'versions' })
    const sender = await app.user({ org: 'versions' })
    const stranger = await app.user({ org: 'elsewhere' })
    const file = await activePdf()
    const draft = await makeDraft(sender, { files: [{ name: 'contract.pdf', bytes: file }] })
    const [shown] = draft.files
    const path = (version: string, more = '') => `${base}/${draft.id}/file?version=${version}${more}`
    expect(shown).toMatchObject({ upload: { name: 'contract.pdf', sha256: sha256(file), bytes: file.length } })
    const original = await bytesOf(sender, path('original'))
    expect(original.bytes.equals(file)).toBe(false)
    expect([sha256(original.bytes), original.bytes.length]).toEqual([shown?.sha256, shown?.bytes])
    expect((await bytesOf(sender, `${base}/${draft.id}/file`)).bytes.equals(original.bytes)).toBe(true)
    expect(original.bytes.includes('JavaScript')).toBe(false)

    const uploaded = await bytesOf(sender, path('uploaded', `&fileId=${shown?.id}`))
    expect(uploaded.bytes.equals(file)).toBe(true)
    expect(uploaded.headers.get('content-disposition')).toMatch(/^attachment.*contract\.pdf/)
    const { entries } = (await sender.get(`${base}/${draft.id}/audit`)).body
    const hashes = { sha256: shown?.sha256, uploadSha256: sha256(file) }
    expect(entries[1]).toMatchObject({ type: 'file_added', detail: hashes })
    expect(entries.at(-1)).toMatchObject({
      type: 'upload_downloaded',
      detail: { fileId: shown?.id, sha256: sha256(file) },
    })

    expect((await boss.get(path('original'))).status).toBe(200)
    expect((await boss.get(path('uploaded'))).status).toBe(403)
    expect((await stranger.get(path('uploaded'))).status).toBe(404)
    const other = await makeDraft(sender)
    expect((await sender.get(path('uploaded', `&fileId=${other.files[0]?.id}`))).body.code).toBe('file_not_found')
    const after = (await sender.get(`${base}/${draft.id}/audit`)).body.entries
    expect(after.filter(({ type }: { type: string }) => type === 'upload_downloaded')).toHaveLength(1)
  })

  it('of a picture are the picture and its page', async () => {
    const picture = pngOf(4)
    const { body } = await sendForm(ana, base, { files: [{ name: 'scan.png', bytes: picture }] })
    const uploaded = await bytesOf(ana, `${base}/${body.id}/file?version=uploaded`)
    expect(uploaded.bytes.equals(picture)).toBe(true)
    expect(uploaded.headers.get('content-type')).toBe('image/png')
    expect(uploaded.headers.get('content-disposition')).toMatch(/^attachment.*scan\.png/)
    expect(body.files[0]).toMatchObject({ name: 'scan.pdf', upload: { name: 'scan.png' } })
  })

  it('are shared by a template and its documents, and counted and kept until the last of them is gone', async () => {
    const owner = await app.user()
    const used = async () => (await owner.get('/api/me/quota')).body.storage.used
    const file = await plainPdf()
    const draft = await makeDraft(owner, { files: [{ name: 'contract.pdf', bytes: file }] })
    const size = file.length + (draft.files[0]?.bytes ?? 0)
    expect(await used()).toBe(size)
    const roles = [{ recipientId: draft.recipients[0]?.id, name: 'Customer' }]
    const template = (await owner.post('/api/signing/templates', { documentId: draft.id, roles })).body
    await owner.delete(`${base}/${draft.id}`)
    const recipients = [{ roleId: template.recipients[0].id, name: 'Kim', email: 'kim@example.test' }]
    const made = (await owner.post(`/api/signing/templates/${template.id}/use`, { recipients })).body
    expect(await used()).toBe(size)
    const uploaded = await bytesOf(owner, `${base}/${made.id}/file?version=uploaded`)
    expect(uploaded.bytes.equals(file)).toBe(true)
    const { entries } = (await owner.get(`${base}/${made.id}/audit`)).body
    expect(entries[0]).toMatchObject({
      type: 'created',
      detail: { files: [{ sha256: made.files[0].sha256, uploadSha256: sha256(file) }] },
    })
    const before = await stored()
    await owner.delete(`/api/signing/templates/${template.id}`)
    await owner.delete(`${base}/${made.id}`)
    expect(await used()).toBe(0)
    await expect.poll(async () => (await stored()).length).toBe(before.length - 2)
  })
})

describe('a request that is repeated', () => {
  it('after a crash between the files and the document makes one, and nothing else is left', async () => {
    const before = await stored()
    const other = await makeDraft(ana)
    const documents = async () => (await ana.get(base)).body.data.length
    const count = await documents()
    const file = await plainPdf([{}, {}])
    const send = () => upload(file, {}, { 'idempotency-key': 'after a crash' })
    victim.dieAt('signing: files prepared')
    expect((await send()).status).toBe(500)
    victim.revive()
    expect(await documents()).toBe(count)
    app.clock.forward({ minutes: 61 })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.body.id]).toEqual([201, first.body.id])
    expect((await getDocument(ana, first.body.id)).files).toHaveLength(1)
    // Whose bytes are released wakes the sweep.
    await ana.delete(`${base}/${other.id}`)
    await expect.poll(async () => (await stored()).length).toBe(before.length + 2)
  })

  it('at the same moment makes one, with one pair of files', async () => {
    const before = await stored()
    const file = await plainPdf()
    const send = () => upload(file, {}, { 'idempotency-key': 'at once' })
    const ids = (await Promise.all([send(), send(), send()])).map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(1)
    await expect.poll(async () => (await stored()).length).toBe(before.length + 2)
  })
})

/** As it was stored before uploads were rebuilt. */
const makeEarlier = (id: string) =>
  app.db
    .updateTable('signingOriginals')
    .set((row) => ({
      blobKey: row.ref('uploadKey').$notNull(),
      sha256: row.ref('uploadSha256').$notNull(),
      bytes: row.ref('uploadBytes').$notNull(),
      uploadKey: null,
      uploadSha256: null,
      uploadBytes: null,
      uploadName: null,
      uploadType: null,
      drawn: null,
      removed: sql`'[]'`,
    }))
    .where('id', 'in', originalsOf(id))
    .execute()

describe('a file from before uploads were rebuilt', () => {
  it('is prepared when its draft is sent, with what it was as its upload', async () => {
    const file = await activePdf()
    const draft = await makeDraft(ana, { files: [{ name: 'contract.pdf', bytes: file }] })
    await makeEarlier(draft.id)
    expect((await bytesOf(ana, `${base}/${draft.id}/file`)).bytes.equals(file)).toBe(true)
    const sent = (await ana.post(`${base}/${draft.id}/send`)).body
    expect(sent).toMatchObject({ state: 'SENT', files: [{ id: draft.files[0]?.id, upload: { sha256: sha256(file) } }] })
    expect((await bytesOf(ana, `${base}/${draft.id}/file`)).bytes.includes('JavaScript')).toBe(false)
    expect((await bytesOf(ana, `${base}/${draft.id}/file?version=uploaded`)).bytes.equals(file)).toBe(true)
    const entries = (await entriesOf(draft.id)).slice(-5).map(({ type, detail }: Entry) => [type, detail.sha256])
    expect(entries).toContainEqual(['file_removed', sha256(file)])
    expect(entries).toContainEqual(['file_added', sent.files[0].sha256])
  })

  it('is prepared once when its template is used, by several at once, and what was sent before keeps what it had', async () => {
    const file = await activePdf()
    const sent = await sendDraft(ana, { files: [{ name: 'contract.pdf', bytes: file }] })
    const roles = [{ recipientId: sent.recipients[0]?.id, name: 'Customer' }]
    const template = (await ana.post('/api/signing/templates', { documentId: sent.id, roles })).body
    await makeEarlier(template.id)
    const recipients = [{ roleId: template.recipients[0].id, name: 'Kim', email: 'kim@example.test' }]
    const use = () => ana.post(`/api/signing/templates/${template.id}/use`, { recipients })
    const made = await Promise.all([use(), use(), use()])
    const hashes = made.map(({ body }) => body.files[0].sha256)
    expect(new Set(hashes).size).toBe(1)
    expect(hashes[0]).not.toBe(sha256(file))
    expect((await bytesOf(ana, `${base}/${sent.id}/file`)).bytes.equals(file)).toBe(true)
    const originals = originalsOf(template.id).union(originalsOf(made[0]?.body.id))
    expect(await originals.execute()).toHaveLength(1)
  })

  it('that can’t be prepared is not sent, and the sender is told why', async () => {
    const draft = await makeDraft(ana)
    await makeEarlier(draft.id)
    const [{ blobKey } = { blobKey: '' }] = await app.db
      .selectFrom('signingOriginals')
      .select('blobKey')
      .where('id', 'in', originalsOf(draft.id))
      .execute()
    const shard = sha256(Buffer.from(blobKey)).slice(0, 2)
    await writeFile(join(env.SVC_DATA_DIR, 'blobs', shard, blobKey.replaceAll('/', '_')), twice)
    const reply = await ana.post(`${base}/${draft.id}/send`)
    expect(reply).toMatchObject({ status: 422, body: { code: 'pdf_readers_disagree' } })
    expect((await getDocument(ana, draft.id)).state).toBe('DRAFT')
  })
})

describe('the seal', () => {
  const sign = async (id: string) => {
    const [visitor] = await visitorsOf(app, await getDocument(ana, id))
    await visitor?.sign()
    return async () => (await getDocument(ana, id)).state
  }

  it('fails where not the pages are there that were noted when they came', async () => {
    const sent = await sendDraft(ana, { files: [{ name: 'contract.pdf', bytes: await plainPdf() }] })
    const noted = { operations: 1, sha256: '0'.repeat(64) }
    const drawn = JSON.stringify([noted, noted])
    await app.db
      .updateTable('signingOriginals')
      .set({ drawn: drawn as never })
      .where('id', 'in', originalsOf(sent.id))
      .execute()
    await expect.poll(await sign(sent.id), { timeout: 20_000 }).toBe('SEAL_FAILED')
    expect((await getDocument(ana, sent.id)).sealError).toContain('Page 1')
  })

  it('is made of a document from before uploads were kept, which has no upload to show', async () => {
    const sent = await sendDraft(ana, { files: [{ name: 'old.pdf', bytes: await activePdf() }] })
    await app.db
      .updateTable('signingOriginals')
      .set({ uploadKey: null, uploadSha256: null, uploadBytes: null, uploadName: null, uploadType: null, drawn: null })
      .where('id', 'in', originalsOf(sent.id))
      .execute()
    expect((await getDocument(ana, sent.id)).files[0]?.upload).toBeNull()
    const reply = await ana.get(`${base}/${sent.id}/file?version=uploaded`)
    expect(reply).toMatchObject({ status: 404, body: { code: 'file_not_found' } })
    await expect.poll(await sign(sent.id), { timeout: 20_000 }).toBe('COMPLETED')
  })
})

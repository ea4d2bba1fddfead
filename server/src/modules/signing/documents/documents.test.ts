import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { openFiles } from '#test/harness/open-files.ts'
import { foreignSignedPdf, plainPdf } from '#test/harness/pdfs.ts'
import type { Person } from '#test/harness/people.ts'
import {
  documentsPath as base,
  getDocument,
  makeDraft,
  makePdf,
  sendDraft,
  sendForm,
  signatureField,
  visitorOf,
} from '#test/harness/signing.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

/** The tests put a script here in place of LibreOffice; nothing is there at first. */
const officeFolder = mkdtempSync(join(tmpdir(), 'office-'))
const officePath = join(officeFolder, 'soffice')
afterAll(() => rmSync(officeFolder, { recursive: true }))

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { SIGNING_OFFICE_PATH: officePath, COMPAT_API_BASE_URL: provider.url } })
let ana: Person
beforeAll(async () => {
  ana = await app.user({ name: 'Ana Owner', isProven: true })
})

/** A PNG of one white pixel. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC'

describe('a model that reads documents', () => {
  const settings = '/api/signing/ai'

  it('is off until an admin turns it on, and then answers the owner with pages, and proposes a summary', async () => {
    const boss = await app.user({ org: 'readers' })
    const member = await app.user({ org: 'readers' })
    const files = [{ name: 'Lease.pdf', bytes: await plainPdf([{}, {}]) }]
    const { id } = await makeDraft(member, { files })
    const ask = () => member.post(`${base}/${id}/ask`, { question: 'What is on page two?' })
    const calls = provider.calls().length
    expect((await ask()).body.code).toBe('signing_ai_off')
    expect((await member.post(`${base}/${id}/summary`)).body.code).toBe('signing_ai_off')
    expect(provider.calls()).toHaveLength(calls)

    expect((await member.put(settings, { enabled: true, model: 'swift' })).status).toBe(403)
    expect((await boss.put(settings, { enabled: true, model: null })).status).toBe(422)
    expect((await boss.put(settings, { enabled: true, model: 'swift' })).status).toBe(200)
    expect((await member.get(settings)).body).toEqual({ enabled: true, model: 'swift' })
    provider.script({ text: 'The word Original [2] [9].' })
    expect((await ask()).body).toEqual({
      answer: 'The word Original [1].',
      citations: [{ fileId: expect.any(String), fileName: 'Lease.pdf', page: 2 }],
      isPartial: false,
    })
    const sent = JSON.stringify(provider.calls().at(-1)?.body)
    for (const part of ['[2] Lease.pdf', 'Original', 'What is on page two?']) expect(sent).toContain(part)

    provider.script({ text: 'You rent a flat.' })
    const proposed = await member.post(`${base}/${id}/summary`)
    expect(proposed.body).toEqual({ text: 'You rent a flat.', isPartial: false })
    expect((await getDocument(member, id)).summary).toBeNull()
    await member.patch(`${base}/${id}`, { summary: proposed.body.text })
    const sentDocument = (await member.post(`${base}/${id}/send`)).body
    const visitor = await visitorOf(app, sentDocument.recipients[0].email)
    expect((await visitor.read()).body.document.summary).toBe('You rent a flat.')
    expect((await member.patch(`${base}/${id}`, { summary: 'Another' })).body.code).toBe('document_sent')
    const scan = await makeDraft(member, {})
    expect((await member.post(`${base}/${scan.id}/ask`, { question: 'x' })).body.code).toBe('document_without_text')

    // A model that says nothing for a minute; here the minute is over at once.
    const limit = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation(() => AbortSignal.abort(new DOMException('Late.')))
    const late = await ask().finally(() => limit.mockRestore())
    expect(late).toMatchObject({ status: 504, body: { code: 'provider_timeout' } })
  })
})

describe('a new document', () => {
  it('holds its files in order, by the hash of their bytes', async () => {
    const files = [
      { name: 'lease.pdf', bytes: makePdf(2) },
      { name: 'annex.pdf', bytes: makePdf(3) },
    ]
    const { status, body } = await sendForm(ana, base, { files })
    expect(status).toBe(201)
    expect(body).toMatchObject({ title: 'lease', state: 'DRAFT', recipients: [], fields: [] })
    expect(body.files).toMatchObject([
      { name: 'lease.pdf', pageCount: 2, upload: { sha256: createHash('sha256').update(makePdf(2)).digest('hex') } },
      { name: 'annex.pdf', pageCount: 3 },
    ])
    expect(body.files[0].pages[0]).toMatchObject({ width: 595, height: 842 })

    const [first, second] = body.files.map(({ id }: { id: string }) => id)
    const ordered = await ana.put(`${base}/${body.id}/files`, { fileIds: [second, first] })
    expect(ordered.body.files.map(({ name }: { name: string }) => name)).toEqual(['annex.pdf', 'lease.pdf'])
    expect((await ana.put(`${base}/${body.id}/files`, { fileIds: [first] })).status).toBe(422)
    expect((await sendForm(ana, `${base}/${body.id}/files`)).body.files).toHaveLength(3)
    expect((await ana.delete(`${base}/${body.id}/files/${first}`)).status).toBe(204)
    const original = await ana.get(`${base}/${body.id}/file?fileId=${second}`)
    expect(original.text.match(/\/Type \/Page\b/g)).toHaveLength(3)
    expect(original.headers.get('content-disposition')).toContain('annex.pdf')
  })

  it('says of an upload that it was signed already, to its owner and in the log', async () => {
    const files = [
      { name: 'signed.pdf', bytes: await foreignSignedPdf() },
      { name: 'plain.pdf', bytes: makePdf(1) },
    ]
    const { status, body } = await sendForm(ana, base, { files, fields: { acceptsSigned: 'true' } })
    expect(status).toBe(201)
    expect(body.files).toMatchObject([{ hasSignatures: true }, { hasSignatures: false }])
    expect((await ana.get(`${base}/${body.id}`)).body.files).toMatchObject([{ hasSignatures: true }, {}])
    const { entries } = (await ana.get(`${base}/${body.id}/audit`)).body
    expect(entries[1]).toMatchObject({ type: 'file_added', detail: { name: 'signed.pdf', hasSignatures: true } })
  })

  it('is refused for what is no PDF, by content and not by name', async () => {
    const files = [{ name: 'contract.pdf', bytes: Buffer.from('just text') }]
    const reply = await sendForm(ana, base, { files })
    expect(reply).toMatchObject({ status: 415, body: { code: 'not_a_pdf' } })
  })

  it('is made from a picture, as a page of its own, and the log says from what', async () => {
    const file = Buffer.from(onePixel, 'base64')
    const { status, body } = await sendForm(ana, base, { files: [{ name: 'scan.png', bytes: file }] })
    expect(status).toBe(201)
    expect(body).toMatchObject({ title: 'scan', files: [{ name: 'scan.pdf', pageCount: 1 }] })
    expect((await ana.get(`${base}/${body.id}/file`)).text).toMatch(/^%PDF-/)
    const { entries } = (await ana.get(`${base}/${body.id}/audit`)).body
    expect(entries[1]).toMatchObject({
      type: 'file_added',
      detail: { convertedFrom: { name: 'scan.png', sha256: createHash('sha256').update(file).digest('hex') } },
    })
    const small = await app.user({ org: 'small' })
    const owner = await app.platformOwner()
    const limits = { storageBytes: file.length }
    await owner.patch(`/api/admin/organizations/${small.organizationId}`, { limits })
    const tooMuch = await sendForm(small, base, { files: [{ name: 'scan.png', bytes: file }] })
    expect(tooMuch.body.code).toBe('plan_limit_reached')
    const broken = [{ name: 'scan.png', bytes: file.subarray(0, 20) }]
    expect((await sendForm(ana, base, { files: broken })).body.code).toBe('picture_unreadable')
  })

  it('is made from a Word file where LibreOffice is installed, and refused with what to install where it is not', async () => {
    // Another run of the tests may have been killed, or may be running.
    const officeFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('chancery-office-'))
    const before = officeFolders()
    const files = [{ name: 'Contract.docx', bytes: Buffer.from('PK\x03\x04 a Word file') }]
    const refused = await sendForm(ana, base, { files })
    expect(refused).toMatchObject({ status: 415, body: { code: 'converter_missing' } })
    expect(refused.body.detail).toContain('install LibreOffice')

    const install = (script: string) => {
      writeFileSync(officePath, `#!/bin/sh\nfor last; do :; done\n${script}\n`)
      chmodSync(officeFolder, 0o755)
      chmodSync(officePath, 0o755)
    }
    install(`grep -q 'a Word file' "$last" && cat > out/input.pdf <<'END'\n${makePdf(2).toString('latin1')}END`)
    const { status, body } = await sendForm(ana, base, { files })
    expect([status, body.title]).toEqual([201, 'Contract'])
    expect(body.files).toMatchObject([{ name: 'Contract.pdf', pageCount: 2 }])

    // One person's files don't fill the queue: the fourth is refused, and another person's is converted.
    const pdf = `cat > out/input.pdf <<'END'\n${makePdf(1).toString('latin1')}END`
    install(`while [ ! -e ${officeFolder}/go ]; do sleep 0.05; done\n${pdf}`)
    const many = Array.from({ length: 4 }, () => sendForm(ana, base, { files }))
    expect((await Promise.race(many)).body.code).toBe('not_ready')
    // Neither a file that was refused nor one that waits is held open.
    const openUploads = async () => (await openFiles()).filter((path) => path.includes('/uploads_'))
    await expect.poll(openUploads).toEqual([])
    const other = sendForm(await app.user(), base, { files })
    writeFileSync(join(officeFolder, 'go'), '')
    expect((await other).status).toBe(201)
    expect((await Promise.all(many)).map((reply) => reply.status).sort()).toEqual([201, 201, 201, 503])

    install('ln -s /etc/passwd out/input.pdf')
    expect((await sendForm(ana, base, { files })).body.code).toBe('conversion_failed')
    install('mkfifo out/input.pdf')
    expect((await sendForm(ana, base, { files })).body.code).toBe('conversion_failed')
    install('exit 1')
    expect((await sendForm(ana, base, { files })).body.code).toBe('conversion_failed')
    await expect.poll(() => officeFolders().filter((name) => !before.includes(name))).toEqual([])
  })

  it('takes no line break, direction mark or quote from a file name into a header or a mail (A39)', async () => {
    const name = 'evil\r\nBcc: all@example.test\u202e".pdf'
    const { body } = await sendForm(ana, base, { files: [{ name, bytes: makePdf() }] })
    expect(body.title).not.toMatch(/[\r\n\u202e]/u)
    const reply = await ana.get(`${base}/${body.id}/file`)
    expect(reply.headers.get('bcc')).toBeNull()
    expect((await ana.patch(`${base}/${body.id}`, { title: 'a\r\nBcc: b@example.test' })).status).toBe(422)
  })

  it('is listed newest first, by state, folder and search, page by page', async () => {
    const ben = await app.user()
    const first = await makeDraft(ben, { title: 'Alpha', recipients: [{ name: 'Zoë Findable' }] })
    const second = await makeDraft(ben, { title: 'Beta 100%', settings: { folder: 'Leases' } })
    const ids = async (query: string) =>
      (await ben.get(`${base}?${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('')).toEqual([second.id, first.id])
    expect(await ids('folder=Leases')).toEqual([second.id])
    expect(await ids('search=findable')).toEqual([first.id])
    expect(await ids('search=0%25')).toEqual([second.id])
    expect(await ids('state=SENT')).toEqual([])
    const { body } = await ben.get(`${base}?limit=1`)
    expect(await ids(`limit=1&cursor=${body.next_cursor}`)).toEqual([first.id])
  })

  it('is sorted by title or change, and a document that changes meanwhile is neither skipped nor moves the rest', async () => {
    const cora = await app.user()
    const made = []
    for (const title of ['beta', 'Alpha', 'Gamma', 'alpha']) made.push(await makeDraft(cora, { title }))
    const titles = async (query: string): Promise<string[]> => {
      const { body } = await cora.get(`${base}?limit=1&${query}`)
      const found = body.data.map(({ title }: { title: string }) => title)
      return body.next_cursor === null
        ? found
        : [...found, ...(await titles(`${query.split('&cursor')[0]}&cursor=${body.next_cursor}`))]
    }
    expect(await titles('sort=title')).toEqual(['Alpha', 'alpha', 'beta', 'Gamma'])
    expect(await titles('sort=-title')).toEqual(['Gamma', 'beta', 'alpha', 'Alpha'])
    const { body } = await cora.get(`${base}?limit=2&sort=updated`)
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['beta', 'Alpha'])
    expect((await cora.patch(`${base}/${made[1]?.id}`, { message: 'Later' })).status).toBe(200)
    expect(await titles(`sort=updated&cursor=${body.next_cursor}`)).toEqual(['Gamma', 'alpha', 'Alpha'])
    expect((await cora.get(`${base}?cursor=nonsense`)).status).toBe(422)
    const ends = { title: ['a\0b'], updated: ['abc', '', '0000-01-01T00:00:00.000000Z'] }
    for (const [sort, texts] of Object.entries(ends))
      for (const text of texts) {
        const cursor = `${made[0]?.id}.${Buffer.from(text).toString('base64url')}`
        const reply = await cora.get(`${base}?sort=${sort}&cursor=${cursor}`)
        expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
      }
  })
})

describe('fields', () => {
  it('are refused with every problem at once, and nothing is stored', async () => {
    const draft = await makeDraft(ana)
    const recipientId = draft.recipients[0]?.id ?? ''
    const good = signatureField(recipientId)
    const reply = await ana.put(`${base}/${draft.id}/fields`, [
      { ...good, page: 2 },
      { ...good, x: 0.9 },
      { ...good, recipientId: app.unknownId() },
      { ...good, type: 'DROPDOWN', options: ['a', 'a'] },
      { ...good, type: 'RADIO' },
      { ...good, type: 'NUMBER', min: 5, value: '4' },
      { ...good, type: 'TEXT', pattern: 'AA##', value: 'DE12' },
    ])
    expect(reply.status).toBe(422)
    expect(reply.body.detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [loc[1], type])).toEqual([
      [0, 'page_out_of_range'],
      [1, 'out_of_page'],
      [2, 'unknown_recipient'],
      [3, 'options_not_unique'],
      [4, 'options_missing'],
      [5, 'invalid_value'],
    ])
    expect((await getDocument(ana, draft.id)).fields).toEqual(draft.fields)
  })

  it('stay with a recipient who is named by id, and go with one who is left out', async () => {
    const draft = await makeDraft(ana, { recipients: [{}, {}] })
    const [first] = draft.recipients
    const { body } = await ana.put(`${base}/${draft.id}/recipients`, [
      { id: first?.id, name: 'Renamed', email: 'renamed@example.test' },
    ])
    expect(body.recipients).toMatchObject([{ id: first?.id, name: 'Renamed' }])
    expect(body.fields).toMatchObject([{ recipientId: first?.id }])
  })
})

describe('sending', () => {
  it('names everything that is missing', async () => {
    const { body } = await sendForm(ana, base)
    const empty = await ana.post(`${base}/${body.id}/send`)
    expect(empty).toMatchObject({ status: 409, body: { code: 'document_not_ready' } })
    expect(empty.body.detail.map(({ type }: { type: string }) => type)).toEqual(['recipients_missing'])
    await ana.put(`${base}/${body.id}/recipients`, [
      { name: 'Sue', email: 'sue@example.test' },
      { name: 'Vic', email: 'vic@example.test', role: 'APPROVER' },
    ])
    const unsigned = await ana.post(`${base}/${body.id}/send`)
    expect(unsigned.body.detail).toMatchObject([{ type: 'signature_missing' }])
  })

  it('mails the first group, locks the content, and is counted once however often it is asked for', async () => {
    const boss = await app.user({ org: 'quota', isProven: true })
    const used = async () => (await boss.get('/api/me/quota')).body.documents
    const draft = await makeDraft(boss, {
      recipients: [{ order: 1 }, { order: 2 }],
      settings: { signingOrder: 'SEQUENTIAL', message: 'Please read page two.' },
    })
    const before = (await used()).used
    const replies = await Promise.all([1, 2, 3].map(() => boss.post(`${base}/${draft.id}/send`)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect((await used()).used).toBe(before + 1)
    expect((await boss.get('/api/org/me')).body.usage.documentsThisMonth).toBe(before + 1)
    const sent = await getDocument(boss, draft.id)
    expect(sent.recipients.map(({ state }) => state)).toEqual(['NOTIFIED', 'PENDING'])
    const letter = await app.letterTo(sent.recipients[0]?.email ?? '')
    expect(letter.subject).toBe('Ana Example asks you to sign “Lease”')
    expect(letter.text).toContain('Please read page two.')
    expect(app.lettersTo(sent.recipients[1]?.email ?? '')).toEqual([])
    for (const change of [
      boss.put(`${base}/${draft.id}/recipients`, []),
      boss.put(`${base}/${draft.id}/fields`, []),
      boss.patch(`${base}/${draft.id}`, { title: 'Another' }),
      sendForm(boss, `${base}/${draft.id}/files`),
    ])
      expect(await change).toMatchObject({ status: 409, body: { code: 'document_sent' } })
  })

  it('stops at the limit of the plan, also when two are sent at once', async () => {
    const boss = await app.user({ org: 'at the limit' })
    await app.db
      .updateTable('organizations')
      .set({ maxDocumentsPerMonth: 1 })
      .where('id', '=', boss.organizationId ?? '')
      .execute()
    const drafts = [await makeDraft(boss), await makeDraft(boss)]
    const replies = await Promise.all(drafts.map(({ id }) => boss.post(`${base}/${id}/send`)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('plan_limit_reached')
    expect((await boss.get('/api/me/quota')).body.documents).toMatchObject({ used: 1, limit: 1 })
  })

  it('writes in the language of the recipient, with what is meant for them alone', async () => {
    const people = [{ language: 'de', message: 'Bitte bis Freitag.' }, { language: 'ar' }]
    const sent = await sendDraft(ana, { recipients: people, settings: { message: 'For everybody.' } })
    const [german, arabic] = sent.recipients.map(({ email }) => email)
    expect((await app.letterTo(german ?? '')).subject).toBe('Ana Owner bittet Sie, „Lease“ zu unterschreiben')
    expect((await app.letterTo(arabic ?? '')).subject).toBe('يطلب منك Ana Owner توقيع «Lease»')
    const html = app.smtp.mails.find(({ recipients }) => recipients.includes(arabic ?? ''))?.html
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect((await app.letterTo(german ?? '')).text).toMatch(/For everybody\.\s+Bitte bis Freitag\./)
    expect(html).toContain('For everybody.')
    expect(html).not.toContain('Bitte bis Freitag.')
  })
})

describe('prefilled values', () => {
  it('are stored as they will be drawn: an unticked box that is required is not filled in', async () => {
    const sent = await makeDraft(ana)
    const own = sent.recipients[0]?.id ?? ''
    const field = (type: string, value: unknown) => ({ ...signatureField(own), type, value, required: true })
    const { body } = await ana.put(`${base}/${sent.id}/fields`, [
      field('SIGNATURE', null),
      field('CHECKBOX', 'false'),
      field('TEXT', ' Acme '),
    ])
    expect(body.fields.map(({ value }: { value: unknown }) => value)).toEqual([null, false, 'Acme'])
    await ana.post(`${base}/${sent.id}/send`)
    const visitor = await visitorOf(app, sent.recipients[0]?.email ?? '')
    await visitor.prepare()
    const refused = await visitor.post(`${visitor.path}/complete`)
    expect(refused.body).toMatchObject({ code: 'fields_missing', detail: [{ loc: ['fields', body.fields[1].id] }] })
  })
})

describe('after sending', () => {
  it('a refused mail is shown beside the recipient, and a corrected address gets a new link', async () => {
    app.smtp.rejectWith('recipient', 550)
    const sent = await sendDraft(ana)
    const [recipient] = sent.recipients
    const mailOf = async () => (await getDocument(ana, sent.id)).recipients[0]?.mail
    await expect.poll(mailOf, { timeout: 10_000 }).toMatchObject({ status: 'failed', error: expect.any(String) })
    app.smtp.rejectWith('recipient', undefined)
    const path = `${base}/${sent.id}/recipients/${recipient?.id}/resend`
    expect((await ana.post(path, { email: `right.${sent.id}@example.test` })).status).toBe(200)
    const visitor = await visitorOf(app, `right.${sent.id}@example.test`)
    expect((await visitor.read()).body.recipient.email).toBe(`right.${sent.id}@example.test`)
    await expect.poll(mailOf, { timeout: 10_000 }).toMatchObject({ status: 'sent', error: null })
  })

  it('a corrected address starts anew: neither consent nor signature of the person who got the first link counts', async () => {
    const sent = await sendDraft(ana)
    const [recipient] = sent.recipients
    const wrong = await visitorOf(app, recipient?.email ?? '')
    await wrong.post(`${wrong.path}/open`)
    await wrong.get(`${wrong.path}/file`)
    await wrong.post(`${wrong.path}/consent`, { accepted: true })
    await wrong.put(`${wrong.path}/fields`, [{ fieldId: sent.fields[0]?.id, value: { typed: 'Wrong Person' } }])
    const resend = `${base}/${sent.id}/recipients/${recipient?.id}/resend`
    const same = await ana.post(resend, { email: recipient?.email })
    expect(same.body).toMatchObject({
      recipients: [{ state: 'OPENED' }],
      fields: [{ value: { typed: 'Wrong Person' } }],
    })
    await ana.post(resend, { email: `meant.${sent.id}@example.test` })
    const meant = await visitorOf(app, `meant.${sent.id}@example.test`)
    expect((await meant.read()).body).toMatchObject({
      recipient: { state: 'NOTIFIED' },
      consent: { acceptedAt: null },
      fields: [{ value: null }],
    })
    expect((await meant.post(`${meant.path}/complete`)).body.code).toBe('consent_required')
  })

  it('a recipient who has not signed can be replaced; the old link ends, the fields move', async () => {
    const sent = await sendDraft(ana)
    const [old] = sent.recipients
    const before = await visitorOf(app, old?.email ?? '')
    const email = `new.${sent.id}@example.test`
    const unprintable = await ana.post(`${base}/${sent.id}/recipients/${old?.id}/replace`, { name: 'New 👍', email })
    expect(unprintable).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'name'], type: 'undrawable' }] },
    })
    const reply = await ana.post(`${base}/${sent.id}/recipients/${old?.id}/replace`, { name: 'New', email })
    expect(reply.body.recipients).toMatchObject([{ state: 'REPLACED' }, { state: 'NOTIFIED', email }])
    expect(reply.body.fields).toMatchObject([{ recipientId: reply.body.recipients[1].id }])
    expect((await before.read()).status).toBe(404)
    expect((await (await visitorOf(app, email)).read()).body.canComplete).toBe(true)
    const again = await ana.post(`${base}/${sent.id}/recipients/${old?.id}/replace`, { name: 'X', email })
    expect(again).toMatchObject({ status: 409, body: { code: 'recipient_settled' } })
  })

  it('a document is cancelled once, tells those who were asked, and can then be deleted', async () => {
    const sent = await sendDraft(ana)
    const email = sent.recipients[0]?.email ?? ''
    const visitor = await visitorOf(app, email)
    expect((await ana.delete(`${base}/${sent.id}`)).body.code).toBe('document_in_progress')
    const cancelled = await ana.post(`${base}/${sent.id}/cancel`, { reason: 'Wrong version' })
    expect(cancelled.body.state).toBe('CANCELLED')
    expect((await ana.post(`${base}/${sent.id}/cancel`)).body.code).toBe('document_finished')
    expect((await app.letterTo(email, 2)).text).toContain('Wrong version')
    expect((await visitor.sign()).body.code).toBe('document_finished')
    expect((await ana.delete(`${base}/${sent.id}`)).status).toBe(204)
    expect((await ana.get(`${base}/${sent.id}`)).status).toBe(404)
    const entries = await app.db.selectFrom('signingAudit').select('type').where('documentId', '=', sent.id).execute()
    expect(entries.map(({ type }) => type)).toContain('deleted')
  })

  it('a deleted draft leaves no bytes behind', async () => {
    const { body } = await sendForm(ana, base)
    await ana.delete(`${base}/${body.id}`)
    const left = await app.db
      .selectFrom('signingOriginals')
      .select('id')
      .where('sha256', '=', body.files[0].sha256)
      .where('createdAt', '>=', new Date(body.createdAt))
      .execute()
    expect(left).toEqual([])
  })
})

describe('within an organization', () => {
  it('admins see and manage documents of members, members only their own', async () => {
    const boss = await app.user({ org: 'visibility' })
    const [member, other] = [await app.user({ org: 'visibility' }), await app.user({ org: 'visibility' })]
    const draft = await makeDraft(member)
    expect((await boss.get(`${base}/${draft.id}`)).status).toBe(200)
    expect((await boss.get(base)).body.data).toMatchObject([{ id: draft.id, owner: { id: member.id } }])
    expect((await other.get(`${base}/${draft.id}`)).status).toBe(404)
    expect((await other.get(base)).body.data).toEqual([])
  })
})

describe('the audit log of a document', () => {
  it('is a chain that the database lets nobody change, and that shows what was changed behind its back', async () => {
    const sent = await sendDraft(ana)
    const { body } = await ana.get(`${base}/${sent.id}/audit`)
    expect(body.valid).toBe(true)
    expect(body.entries.map(({ type }: { type: string }) => type)).toEqual([
      'created',
      'file_added',
      'recipients_changed',
      'fields_changed',
      'sent',
      'notified',
    ])
    expect(body.entries[4]).toMatchObject({
      actor: { type: 'user', email: ana.email },
      ip: expect.stringMatching(/^10\./),
    })
    const own = app.db.updateTable('signingAudit').set({ type: 'x' }).where('documentId', '=', sent.id)
    await expect(own.execute()).rejects.toThrow('append-only')
    await expect(app.db.deleteFrom('signingAudit').where('documentId', '=', sent.id).execute()).rejects.toThrow(
      'append-only',
    )
    await app.db
      .updateTable('signingDocuments')
      .set({ auditCount: body.entries.length + 1 })
      .where('id', '=', sent.id)
      .execute()
    expect((await ana.get(`${base}/${sent.id}/audit`)).body.valid).toBe(false)
  })
})

describe('two tabs on one draft', () => {
  it('never overwrite what the other saved: files, recipients and fields each have a version', async () => {
    const files = [1, 2].map((pages) => ({ name: `${pages}.pdf`, bytes: makePdf(pages) }))
    const draft = await makeDraft(ana, { files })
    const path = `${base}/${draft.id}`
    const tab = (part: 'files' | 'recipients' | 'fields') => ({ 'if-match': `"${draft.versions[part]}"` })
    const [recipient] = draft.recipients
    const changes = {
      fields: [signatureField(recipient?.id ?? '', 3)],
      recipients: [{ id: recipient?.id, name: 'Changed', email: 'changed@example.test' }],
      files: { fileIds: draft.files.map(({ id }) => id).toReversed() },
    }
    for (const part of ['files', 'fields', 'recipients'] as const) {
      const first = await ana.put(`${path}/${part}`, changes[part], tab(part))
      expect(first.status, part).toBe(200)
      const second = await ana.put(`${path}/${part}`, changes[part], tab(part))
      expect(second, part).toMatchObject({ status: 409, body: { code: 'document_changed' } })
      // A tab that has read the newer version, or asks for no check, may save.
      const read = { 'if-match': `"${first.body.versions[part]}"` }
      expect((await ana.put(`${path}/${part}`, changes[part], read)).status, part).toBe(200)
      expect((await ana.put(`${path}/${part}`, changes[part])).status, part).toBe(200)
    }
  })
})

/** The certificate says what each recipient was given to read, and what they did with each field. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Evidence } from '@chancery/contract/signing/evidence.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { foreignSignedPdf } from '#test/harness/pdfs.ts'
import type { Person } from '#test/harness/people.ts'
import {
  documentsPath,
  getDocument,
  makeDraft,
  makePdf,
  sendDraft,
  sendForm,
  signatureField,
  visitorOf,
} from '#test/harness/signing.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const folder = mkdtempSync(join(tmpdir(), 'chancery-evidence-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
/** What the script says that anybody can check evidence with. */
const verify = (evidence: Evidence): string => {
  const script = fileURLToPath(new URL('../../../../../scripts/verify-evidence.mjs', import.meta.url))
  const file = join(folder, 'evidence.json')
  writeFileSync(file, JSON.stringify(evidence))
  return spawnSync(process.execPath, [script, file], { encoding: 'utf8' }).stdout
}
const app = await testApp()
let ana: Person
beforeAll(async () => {
  ana = await app.user({ name: 'Ana Owner', isProven: true })
})

const entriesOf = async (id: string, type: string) =>
  (await ana.get(`${documentsPath}/${id}/audit`)).body.entries.filter((entry: { type: string }) => entry.type === type)
const certificateOf = async (id: string): Promise<Evidence> =>
  (await ana.get(`${documentsPath}/${id}/certificate`)).body

describe('a file that a recipient fetches', () => {
  it('is noted once with its hash, again once they asked to open it, and by each other file', async () => {
    const files = [
      { name: 'one.pdf', bytes: makePdf() },
      { name: 'two.pdf', bytes: makePdf(3) },
    ]
    const sent = await sendDraft(ana, { files })
    const visitor = await visitorOf(app, sent.recipients[0]?.email ?? '')
    const [one, two] = sent.files
    for (let time = 0; time < 3; time += 1) await visitor.get(`${visitor.path}/file`)
    await visitor.send('HEAD', `${visitor.path}/file?fileId=${two?.id}`)
    expect(await entriesOf(sent.id, 'file_fetched')).toMatchObject([{ detail: { fileId: one?.id, asked: false } }])
    await visitor.post(`${visitor.path}/open`)
    for (let time = 0; time < 3; time += 1)
      await Promise.all([one, two].map((file) => visitor.get(`${visitor.path}/file?fileId=${file?.id}`)))
    const noted = await entriesOf(sent.id, 'file_fetched')
    expect(noted).toHaveLength(3)
    expect(noted.map(({ detail }: { detail: { asked: boolean } }) => detail.asked)).toEqual([false, true, true])
    const { viewed = [] } = (await certificateOf(sent.id)).recipients[0] ?? {}
    expect(viewed.toSorted((a, b) => a.name.localeCompare(b.name))).toMatchObject([
      { name: 'one.pdf', sha256: one?.sha256, pageCount: 1, via: 'link' },
      { name: 'two.pdf', sha256: two?.sha256, pageCount: 3, via: 'link' },
    ])
  })

  it('is noted of each person, and not as seen by the person who had the wrong address before', async () => {
    const sent = await sendDraft(ana, { recipients: [{ email: 'wrong@example.test' }] })
    const stranger = await visitorOf(app, 'wrong@example.test')
    await stranger.prepare()
    const right = `right.${ana.id}@example.test`
    await ana.post(`${documentsPath}/${sent.id}/recipients/${sent.recipients[0]?.id}/resend`, { email: right })
    expect((await certificateOf(sent.id)).recipients[0]).toMatchObject({ viewed: [], devices: [] })
    await (await visitorOf(app, right)).prepare()
    expect(await entriesOf(sent.id, 'file_fetched')).toMatchObject([
      { actor: { email: 'wrong@example.test' } },
      { actor: { email: right } },
    ])
    expect((await certificateOf(sent.id)).recipients[0]?.viewed).toHaveLength(1)
  })
})

describe('a file that was uploaded', () => {
  it('is told with what was removed from it and who had signed it, beside the file that is signed', async () => {
    const files = [{ name: 'signed.pdf', bytes: await foreignSignedPdf() }]
    const made = await sendForm(ana, documentsPath, { files, fields: { acceptsSigned: 'true' } })
    const [file] = (await certificateOf(made.body.id)).files
    expect(file).toMatchObject({
      upload: { name: 'signed.pdf', sha256: sha256(files[0]?.bytes ?? Buffer.alloc(0)) },
      removed: expect.arrayContaining([expect.objectContaining({ kind: 'signatures', count: 1 })]),
      earlierSignatures: [{ subject: expect.any(String) }],
    })
    expect(file?.sha256).not.toBe(file?.upload?.sha256)
  })
})

describe('fields in the certificate', () => {
  it('have their values as they were sent and as they were signed, but of a signature only its kind', async () => {
    const draft = await makeDraft(ana)
    const own = draft.recipients[0]?.id ?? ''
    const text = (index: number, label: string, more = {}) => ({
      ...signatureField(own, index),
      type: 'TEXT',
      label,
      ...more,
    })
    await ana.put(`${documentsPath}/${draft.id}/fields`, [
      signatureField(own),
      text(1, 'Price', { value: '100' }),
      text(2, 'Place', { value: 'Berlin' }),
      text(3, 'Remark', { required: false }),
      text(4, 'Empty', { required: false }),
      { ...signatureField(own, 5), type: 'NAME' },
    ])
    await ana.post(`${documentsPath}/${draft.id}/send`)
    const visitor = await visitorOf(app, draft.recipients[0]?.email ?? '')
    await visitor.prepare()
    const ids: string[] = (await visitor.read()).body.fields.map(({ id }: { id: string }) => id)
    const fill = (index: number, value: unknown) =>
      visitor.put(`${visitor.path}/fields`, [{ fieldId: ids[index], value }])
    await fill(3, 'first')
    await fill(3, 'second')
    await fill(3, 'second')
    await fill(1, '120')
    await fill(2, 'Berlin')
    await visitor.post(`${visitor.path}/complete`)
    await expect.poll(async () => (await getDocument(ana, draft.id)).state, { timeout: 20_000 }).toBe('COMPLETED')

    const evidence = await certificateOf(draft.id)
    const [recipient] = evidence.recipients
    expect(recipient?.fields.map(({ before, after, filledBy, changes }) => [before, after, filledBy, changes])).toEqual(
      [
        [null, { mark: 'typed', sha256: expect.any(String) }, 'SIGNER', 1],
        ['100', '120', 'SIGNER', 1],
        ['Berlin', 'Berlin', 'SENDER', 0],
        [null, 'second', 'SIGNER', 2],
        [null, null, null, 0],
        [null, recipient?.name, 'SERVICE', 0],
      ],
    )
    expect(recipient).toMatchObject({
      secondsToSign: expect.any(Number),
      codeVerifiedAt: null,
      consentSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      devices: [{ ip: recipient?.ip, userAgent: recipient?.userAgent }],
    })
    const upload = { name: 'contract.pdf', sha256: sha256(makePdf()), bytes: makePdf().length }
    expect(evidence).toMatchObject({ version: 2, comparison: { pages: 1 }, files: [{ upload, removed: [] }] })
    const [, changed] = (await entriesOf(draft.id, 'fields_filled')).slice(-2)
    expect(changed.detail.changes).toEqual([{ fieldId: ids[1], before: '100', after: '120' }])
    const [signed] = await entriesOf(draft.id, 'signed')
    expect(signed.detail.values.map(({ value }: { value: unknown }) => value)).toEqual(
      recipient?.fields.map(({ after }) => after),
    )
    expect(JSON.stringify(evidence)).not.toContain('Sam Signer')
    const [price] = recipient?.fields.slice(1) ?? []
    expect(verify(evidence)).toMatch(/^The audit log of document .* is complete/)
    if (price) price.after = '1'
    expect(verify(evidence)).toContain('another value of a field')
  })

  it('count a value that is sent twice in one request by what it ends with', async () => {
    const draft = await makeDraft(ana)
    const own = draft.recipients[0]?.id ?? ''
    await ana.put(`${documentsPath}/${draft.id}/fields`, [
      signatureField(own),
      { ...signatureField(own, 1), type: 'TEXT', value: 'a' },
    ])
    await ana.post(`${documentsPath}/${draft.id}/send`)
    const visitor = await visitorOf(app, draft.recipients[0]?.email ?? '')
    await visitor.prepare()
    const fieldId = (await visitor.read()).body.fields[1].id
    await visitor.put(`${visitor.path}/fields`, [
      { fieldId, value: 'b' },
      { fieldId, value: 'a' },
    ])
    expect((await visitor.read()).body.fields[1].value).toBe('a')
  })
})

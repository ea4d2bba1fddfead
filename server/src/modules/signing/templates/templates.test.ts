import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import {
  documentsPath,
  getDocument,
  makeDraft,
  makePdf,
  sendForm,
  signatureField,
  visitorOf,
} from '#test/harness/signing.ts'
import { readCsv } from './read-csv.ts'

const app = await sharedApp()
const base = '/api/signing/templates'
let ana: Person
beforeAll(async () => {
  ana = await app.user({ name: 'Ana Owner' })
})

const makeTemplate = async (owner = ana) => {
  const draft = await makeDraft(owner, { title: 'Offer', recipients: [{ name: 'Old Customer' }, { role: 'CC' }] })
  const [customer, copy] = draft.recipients.map(({ id }) => id) as [string, string]
  await owner.put(`${documentsPath}/${draft.id}/fields`, [
    signatureField(customer),
    { ...signatureField(customer, 2), type: 'NUMBER', label: 'Price', max: 100 },
  ])
  const roles = [
    { recipientId: customer, name: 'Customer' },
    { recipientId: copy, name: 'Archive' },
  ]
  const { status, body } = await owner.post(base, { documentId: draft.id, roles })
  expect(status).toBe(201)
  return body
}

describe('a template', () => {
  it('has roles instead of people, and the bytes of the document that it was made from', async () => {
    const template = await makeTemplate()
    expect(template.recipients).toMatchObject([
      { name: 'Customer', email: '', role: 'SIGNER' },
      { name: 'Archive', email: '', role: 'CC' },
    ])
    expect(JSON.stringify(template)).not.toContain('Old Customer')
    expect((await ana.get(base)).body.data).toMatchObject([{ id: template.id }])
    expect((await ana.get(`${documentsPath}/${template.id}`)).status).toBe(404)
  })

  it('becomes a document with people and values, sent at once or not at all', async () => {
    const template = await makeTemplate()
    const [customer, archive] = template.recipients
    const email = `customer.${template.id}@example.test`
    const people = [
      { roleId: customer.id, name: 'Kim', email },
      { roleId: archive.id, name: 'Files', email: 'files@example.test' },
    ]
    const price = template.fields[1].id
    const use = (body: object) => ana.post(`${base}/${template.id}/use`, { recipients: people, send: true, ...body })
    const tooMuch = await use({ values: [{ fieldId: price, value: '101' }] })
    expect(tooMuch.body.detail).toMatchObject([{ type: 'invalid_value' }])
    const nobody = await use({ recipients: people.slice(0, 1) })
    expect(nobody.body.detail).toMatchObject([{ type: 'role_missing' }])
    const { status, body } = await use({ title: 'Offer 7', values: [{ fieldId: price, value: ' 99 ' }] })
    expect({ status, state: body.state, title: body.title }).toEqual({ status: 201, state: 'SENT', title: 'Offer 7' })
    expect((await (await visitorOf(app, email)).read()).body.fields[1]).toMatchObject({ label: 'Price', value: '99' })
    expect(body.files[0].sha256).toBe(template.files[0].sha256)
    expect((await ana.delete(`${base}/${template.id}`)).status).toBe(204)
    const uploaded = await ana.get(`${documentsPath}/${body.id}/file?version=uploaded`)
    expect(uploaded.text).toBe(makePdf().toString('latin1'))
  })

  it('is used and changed by everybody in the organization, and unknown elsewhere', async () => {
    const [owner, member] = [await app.user({ org: 'templates' }), await app.user({ org: 'templates' })]
    const template = await makeTemplate(owner)
    expect((await member.get(`${base}/${template.id}`)).status).toBe(200)
    expect((await member.patch(`${base}/${template.id}`, { title: 'Ours' })).body.title).toBe('Ours')
    expect((await ana.get(`${base}/${template.id}`)).status).toBe(404)
  })
})

describe('sending to many', () => {
  const csv = (rows: string[]) => [
    {
      name: 'people.csv',
      bytes: Buffer.from(['Customer name;Customer email;Archive name;Archive email;Price', ...rows].join('\r\n')),
    },
  ]
  const row = (index: number, price = '5') =>
    `Kim ${index};kim${index}.${app.unknownId()}@example.test;A;a@example.test;${price}`

  it('previews what is wrong with each row and makes nothing', async () => {
    const template = await makeTemplate()
    const files = csv([row(1), 'Kim;no address;A;a@example.test;5', row(3, '101')])
    const form = await sendFormWith(`${base}/${template.id}/bulk`, files, { preview: 'true' })
    expect(form.body).toMatchObject({ id: null, state: 'PREVIEW', counts: { ready: 1, refused: 2 } })
    expect(
      form.body.rows.map(({ row: number, problems }: { row: number; problems: string[] }) => [number, problems.length]),
    ).toEqual([
      [2, 0],
      [3, 1],
      [4, 1],
    ])
    const wrong = await sendFormWith(`${base}/${template.id}/bulk`, [{ name: 'x.csv', bytes: Buffer.from('a,b\n1,2') }])
    expect(wrong.body.detail).toMatchObject([{ type: 'invalid_header' }])
    expect(
      (await ana.get(`${documentsPath}?state=SENT&search=Kim`)).body.data.filter(
        ({ title }: { title: string }) => title === 'x',
      ),
    ).toEqual([])
  })

  it('sends every good row once, and says what became of each', async () => {
    const template = await makeTemplate()
    const started = await sendFormWith(
      `${base}/${template.id}/bulk`,
      csv([row(1), 'Kim;nobody;A;a@example.test;5', row(3)]),
    )
    expect(started.status).toBe(202)
    const job = () => ana.get(`/api/signing/bulk/${started.body.id}`)
    await expect.poll(async () => (await job()).body.state, { timeout: 20_000 }).toBe('DONE')
    const { body } = await job()
    expect(body.counts).toEqual({ ready: 0, refused: 1, sent: 2, failed: 0 })
    const made = body.rows.flatMap(({ documentId }: { documentId: string | null }) => documentId ?? [])
    expect(new Set(made).size).toBe(2)
    expect((await getDocument(ana, made[0])).state).toBe('SENT')
  })

  const sendFormWith = async (
    path: string,
    files: { name: string; bytes: Buffer }[],
    fields: Record<string, string> = {},
  ) => sendForm(ana, path, { files, fields })
})

describe('a table', () => {
  it('reads back whatever a spreadsheet may write', () => {
    const cell = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '')
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';'), fc.constantFrom('\n', '\r\n'), (rows, separator, end) => {
        // The header decides the separator, so it holds none itself.
        const all = [['first', 'second', 'third'], ...rows]
        const text = all
          .map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(separator))
          .join(end)
        expect(readCsv(`\ufeff${text}`)).toEqual(all)
      }),
    )
  })

  it.each([',', '\r', 'a,b\n'])('is refused where it has too many cells: two megabytes of %j', (piece) => {
    const text = piece.repeat(2_000_000 / piece.length)
    expect(() => readCsv(text)).toThrowError('A table holds at most 100,000 cells.')
  })
})

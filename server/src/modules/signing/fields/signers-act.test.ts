import { beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import {
  documentsPath,
  getDocument,
  makeDraft,
  sendDraft,
  sendForm,
  signatureField,
  visitorOf,
} from '#test/harness/signing.ts'

const app = await sharedApp()
let ana: Person
beforeAll(async () => {
  ana = await app.user({ name: 'Ana Owner' })
})

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='

/** A template with a signature of this label and a text. */
const makeTemplate = async () => {
  const draft = await makeDraft(ana)
  const recipientId = draft.recipients[0]?.id ?? ''
  await ana.put(`${documentsPath}/${draft.id}/fields`, [
    { ...signatureField(recipientId), label: 'Sign here' },
    { ...signatureField(recipientId, 2), type: 'TEXT', label: 'Company', required: false },
  ])
  const roles = [{ recipientId, name: 'Customer' }]
  return (await ana.post('/api/signing/templates', { documentId: draft.id, roles })).body
}

describe('a signature is the signer’s act', () => {
  it.each([
    ['a typed signature', { value: { typed: 'Sam' } }, 'value', 'signature_prefilled'],
    ['a signature as text', { value: 'Sam' }, 'value', 'signature_prefilled'],
    ['a drawn signature', { value: { png: onePixel } }, 'value', 'signature_prefilled'],
    ['typed initials', { type: 'INITIALS', value: { typed: 'S' } }, 'value', 'signature_prefilled'],
    ['a lock', { readOnly: true }, 'readOnly', 'signature_locked'],
    ['locked initials', { type: 'INITIALS', readOnly: true, required: false }, 'readOnly', 'signature_locked'],
  ])('so a sender’s draft takes no %s', async (_what, more, path, type) => {
    const draft = await makeDraft(ana)
    const field = { ...signatureField(draft.recipients[0]?.id ?? ''), ...more }
    const reply = await ana.put(`${documentsPath}/${draft.id}/fields`, [field])
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 0, path], type }] } })
    expect((await getDocument(ana, draft.id)).fields).toEqual(draft.fields)
  })

  it('so a template takes none when it is used, by hand or from a table', async () => {
    const { id, recipients, fields } = await makeTemplate()
    const people = [{ roleId: recipients[0].id, name: 'Kim', email: 'kim@example.test' }]
    const values = [{ fieldId: fields[0].id, value: { typed: 'Kim' } }]
    const used = await ana.post(`/api/signing/templates/${id}/use`, { recipients: people, values })
    expect(used).toMatchObject({ status: 422, body: { detail: [{ msg: expect.stringContaining('Only the signer') }] } })
    const table = (header: string, row: string) =>
      sendForm(ana, `/api/signing/templates/${id}/bulk`, {
        fields: { preview: 'true' },
        files: [
          { name: 'a.csv', bytes: Buffer.from(`Customer name,Customer email,${header}\nKim,kim@x.test,${row}\n`) },
        ],
      })
    const refused = await table('Sign here', 'Kim')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Only the signer')
    expect((await table('Company', 'Acme')).body.counts).toMatchObject({ ready: 1, refused: 0 })
  })
})

it('a signature that was locked when senders could is in no template that is made of its document', async () => {
  const sent = await sendDraft(ana)
  const [recipient] = sent.recipients
  await (await visitorOf(app, recipient?.email ?? '')).sign()
  await app.db.updateTable('signingFields').set({ readOnly: true }).where('documentId', '=', sent.id).execute()
  const roles = [{ recipientId: recipient?.id, name: 'Customer' }]
  const { body } = await ana.post('/api/signing/templates', { documentId: sent.id, roles })
  expect(body.fields).toMatchObject([{ type: 'SIGNATURE', readOnly: false, value: null }])
})

describe('what the sender filled in', () => {
  it('is shown as theirs to the signer, and is in the audit log and the certificate unless the signer changed it', async () => {
    const draft = await makeDraft(ana)
    const own = draft.recipients[0]?.id ?? ''
    const text = (label: string, more = {}) => ({ ...signatureField(own, 2), type: 'TEXT', label, ...more })
    await ana.put(`${documentsPath}/${draft.id}/fields`, [
      signatureField(own),
      text('Company', { value: 'Acme', readOnly: true }),
      text('City', { value: 'Rome' }),
      text('Street', { value: 'Via Appia' }),
      text('Comment', { required: false }),
    ])
    await ana.post(`${documentsPath}/${draft.id}/send`)
    const visitor = await visitorOf(app, draft.recipients[0]?.email ?? '')
    const marked = async () =>
      (await visitor.read()).body.fields.map((one: { isPrefilled: boolean }) => one.isPrefilled)
    expect(await marked()).toEqual([false, true, true, true, false])
    await visitor.prepare()
    const ids = (await visitor.read()).body.fields.map(({ id }: { id: string }) => id)
    // The page sends back what it showed: the city as it was, another street.
    await visitor.put(`${visitor.path}/fields`, [
      { fieldId: ids[2], value: 'Rome' },
      { fieldId: ids[3], value: 'Via Sacra' },
      { fieldId: ids[4], value: 'Hello' },
    ])
    expect(await marked()).toEqual([false, true, true, false, false])
    expect((await visitor.post(`${visitor.path}/complete`)).status).toBe(200)
    const { body } = await ana.get(`${documentsPath}/${draft.id}/certificate`)
    expect(body.recipients[0].prefilled).toEqual([
      { type: 'TEXT', label: 'Company', isLocked: true },
      { type: 'TEXT', label: 'City', isLocked: false },
    ])
    const entry = (type: string) => body.audit.find((one: { type: string }) => one.type === type).detail
    expect(entry('sent').prefilled.map(({ label }: { label: string }) => label)).toEqual(['Company', 'City', 'Street'])
    expect(entry('signed').prefilledFieldIds).toEqual([ids[1], ids[2]])
    // Read and sent back by the sender, a draft's fields stay as they are.
    const other = await makeDraft(ana)
    const { body: same } = await ana.put(
      `${documentsPath}/${other.id}/fields`,
      (await getDocument(ana, other.id)).fields,
    )
    expect(same.fields).toEqual(other.fields)
  })
})

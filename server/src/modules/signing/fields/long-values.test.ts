/** A value that runs over the edge of its field is refused when it is entered, by the sender or a signer. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { documentsPath as base, makeDraft, signatureField, type Visitor, visitorsOf } from '#test/harness/signing.ts'

const app = await sharedApp()
let ana: Person
beforeAll(async () => {
  ana = await app.user({ name: 'Ana Owner' })
})

const long = 'Nineteen hundred letters over the contract and another signature. '.repeat(29)
const place = { type: 'TEXT', page: 1, x: 0.1, y: 0.1, width: 0.2, height: 0.03 }

describe('a text that is too long for its field', () => {
  it('is refused at the field, for the sender and for the signer, and a larger field takes it', async () => {
    const draft = await makeDraft(ana)
    const recipientId = draft.recipients[0]?.id ?? ''
    const put = (field: object) =>
      ana.put(`${base}/${draft.id}/fields`, [signatureField(recipientId), { ...place, recipientId, ...field }])
    const refused = await put({ value: long })
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'value_too_long', loc: ['body', 1, 'value'] }] },
    })
    expect((await put({ value: long, width: 0.8, height: 0.5 })).status).toBe(200)
    expect((await put({})).status).toBe(200)
    const sent = await ana.post(`${base}/${draft.id}/send`)
    const [visitor] = (await visitorsOf(app, sent.body)) as [Visitor]
    await visitor.post(`${visitor.path}/consent`, { accepted: true })
    const { body } = await visitor.read()
    const text = body.fields.find(({ type }: { type: string }) => type === 'TEXT')
    const fill = (value: string) => visitor.put(`${visitor.path}/fields`, [{ fieldId: text.id, value }])
    expect(await fill(long)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'value_too_long', loc: ['body', 0, 'value'] }] },
    })
    expect((await fill('Short')).status).toBe(204)
  })
})

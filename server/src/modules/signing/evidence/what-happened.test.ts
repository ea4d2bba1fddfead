import { beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import type { Person } from '#test/harness/people.ts'
import {
  documentsPath,
  getDocument,
  makeDraft,
  sendDraft,
  sendForm,
  signatureField,
  visitorOf,
} from '#test/harness/signing.ts'
import { startPoppler } from '#test/peers/poppler.ts'

const poppler = startPoppler()
const app = await testApp()
let ana: Person
beforeAll(async () => {
  ana = await app.user({ name: 'Ana Owner', isProven: true })
})

const openedOf = async (id: string) => {
  const { openedAt, state } = (await getDocument(ana, id)).recipients[0] ?? {}
  return { isOpened: openedAt !== null, state }
}
const certificateOf = async (id: string) => {
  await expect.poll(async () => (await getDocument(ana, id)).state, { timeout: 20_000 }).toBe('COMPLETED')
  const { body } = await ana.get(`${documentsPath}/${id}/certificate`)
  const file = await fetch(`${app.url}${documentsPath}/${id}/certificate.pdf`, {
    headers: { authorization: `Bearer ${ana.token}` },
  })
  return { body, text: poppler.text(Buffer.from(await file.arrayBuffer())).replace(/\s+/g, ' ') }
}
const typesOf = async (id: string): Promise<string[]> =>
  (await ana.get(`${documentsPath}/${id}/audit`)).body.entries.map(({ type }: { type: string }) => type)

describe('a document is opened', () => {
  it.each([
    ['asks to open it and then fetches it', ['open', 'file']],
    ['fetches it and then asks to open it', ['file', 'open']],
  ])('when its recipient %s, and not before both', async (_how, [first, second]) => {
    const sent = await sendDraft(ana)
    const visitor = await visitorOf(app, sent.recipients[0]?.email ?? '')
    const steps: Record<string, () => Promise<unknown>> = {
      open: () => visitor.post(`${visitor.path}/open`),
      file: () => visitor.get(`${visitor.path}/file`),
    }
    await steps[first ?? '']?.()
    await visitor.send('HEAD', `${visitor.path}/file`)
    expect(await openedOf(sent.id)).toEqual({ isOpened: false, state: 'NOTIFIED' })
    expect(await typesOf(sent.id)).not.toContain('opened')
    await steps[second ?? '']?.()
    expect(await openedOf(sent.id)).toEqual({ isOpened: true, state: 'OPENED' })
    expect((await typesOf(sent.id)).filter((type) => type === 'opened')).toHaveLength(1)
  })

  it('not by signing it: the certificate says that it was never opened', async () => {
    const sent = await sendDraft(ana)
    const visitor = await visitorOf(app, sent.recipients[0]?.email ?? '')
    await visitor.post(`${visitor.path}/consent`, { accepted: true })
    const fieldId = (await visitor.read()).body.fields[0].id
    await visitor.put(`${visitor.path}/fields`, [{ fieldId, value: { typed: 'Sam' } }])
    expect((await visitor.post(`${visitor.path}/complete`)).body.recipientState).toBe('SIGNED')
    const { body, text } = await certificateOf(sent.id)
    expect(body.recipients[0]).toMatchObject({ openedAt: null, signedAt: expect.any(String) })
    expect(text).toContain('Not opened before signing')
    expect(await typesOf(sent.id)).not.toContain('opened')
  })
})

describe('the day of signing', () => {
  it('is filled in by the service, in the signer’s zone, and written in the document’s language', async () => {
    const draft = await makeDraft(ana, { settings: { language: 'de' } })
    const own = draft.recipients[0]?.id ?? ''
    const date = (index: number, more = {}) => ({ ...signatureField(own, index), type: 'DATE', ...more })
    const put = await ana.put(`${documentsPath}/${draft.id}/fields`, [
      signatureField(own),
      date(1),
      date(2, { label: 'Date', signingDay: true }),
      date(3, { label: 'Born on' }),
      date(4, { value: '2026-01-31', readOnly: true }),
    ])
    expect(put.body.fields.map(({ signingDay }: { signingDay?: boolean }) => signingDay)).toEqual([
      undefined,
      true,
      true,
      false,
      false,
    ])
    await ana.post(`${documentsPath}/${draft.id}/send`)
    const visitor = await visitorOf(app, draft.recipients[0]?.email ?? '')
    await visitor.prepare()
    const ids = (await visitor.read()).body.fields.map(({ id }: { id: string }) => id)
    const type = (index: number, value: string) =>
      visitor.put(`${visitor.path}/fields`, [{ fieldId: ids[index], value }])
    for (const index of [1, 2])
      expect(await type(index, '2020-01-01')).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'signing_day' }] },
      })
    expect((await type(3, '1990-05-04')).status).toBe(204)
    const complete = (timeZone: string) => visitor.post(`${visitor.path}/complete`, { timeZone })
    expect((await complete('Mars/Olympus')).status).toBe(422)
    const zone = 'Pacific/Kiritimati'
    expect((await complete(zone)).status).toBe(200)
    const day = new Date(app.clock.now().getTime() + 14 * 3_600_000).toISOString().slice(0, 10)
    const { body, text } = await certificateOf(draft.id)
    expect((await getDocument(ana, draft.id)).fields.map(({ value }) => value).slice(1)).toEqual([
      day,
      day,
      '1990-05-04',
      '2026-01-31',
    ])
    expect(body.recipients[0].timeZone).toBe(zone)
    expect(text).toContain(zone)
    expect(text).toMatch(/Unterschrieben \S+ \S+ UTC \d+\. \S+ 20\d\d um \d\d:\d\d:\d\d GMT\+14/)
    const sealed = await fetch(`${app.url}${documentsPath}/${draft.id}/file?version=sealed`, {
      headers: { authorization: `Bearer ${ana.token}` },
    })
    const page = poppler.text(Buffer.from(await sealed.arrayBuffer()))
    expect(page).toContain('4. Mai 1990')
    expect(page).toContain('31. Januar 2026')
    expect(page).not.toContain('1990-05-04')
  })

  it('is not the sender’s to give beforehand', async () => {
    const draft = await makeDraft(ana)
    const field = {
      ...signatureField(draft.recipients[0]?.id ?? '', 2),
      type: 'DATE',
      signingDay: true,
      value: '2020-01-01',
    }
    const reply = await ana.put(`${documentsPath}/${draft.id}/fields`, [...draft.fields, field])
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ type: 'signing_day_prefilled' }] } })
  })

  it('is nobody’s to give with a template, by hand or from a table, nor an old one in a template of a signed document', async () => {
    const draft = await makeDraft(ana)
    const own = draft.recipients[0]?.id ?? ''
    const date = (index: number, more = {}) => ({ ...signatureField(own, index), type: 'DATE', ...more })
    await ana.put(`${documentsPath}/${draft.id}/fields`, [
      signatureField(own),
      date(1, { label: 'Signed on', signingDay: true }),
      date(2, { readOnly: true, required: false }),
    ])
    const roles = [{ recipientId: own, name: 'Customer' }]
    const template = (await ana.post('/api/signing/templates', { documentId: draft.id, roles })).body
    const path = `/api/signing/templates/${template.id}`
    const recipients = [{ roleId: template.recipients[0].id, name: 'Kim', email: 'kim@example.test' }]
    const values = [{ fieldId: template.fields[1].id, value: '2020-01-01' }]
    expect(await ana.post(`${path}/use`, { recipients, values })).toMatchObject({
      status: 422,
      body: { detail: [{ msg: expect.stringContaining('day of signing') }] },
    })
    const bytes = Buffer.from('Customer name,Customer email,Signed on\nKim,kim@example.test,2020-01-01\n')
    const table = { files: [{ name: 'a.csv', bytes }], fields: { preview: 'true' } }
    const preview = await sendForm(ana, `${path}/bulk`, table)
    expect(preview.body.rows[0].problems).toEqual([expect.stringContaining('day of signing')])
    await ana.post(`${documentsPath}/${draft.id}/send`)
    await (await visitorOf(app, draft.recipients[0]?.email ?? '')).sign()
    expect((await getDocument(ana, draft.id)).fields[2]?.value).toMatch(/^20/)
    const anew = (await ana.post('/api/signing/templates', { documentId: draft.id, roles })).body
    expect(anew.fields.map(({ value }: { value: unknown }) => value)).toEqual([null, null, null])
  })
})

describe('the certificate', () => {
  it('tells corrected addresses, ended links and other people in somebody’s place, and who asked for it', async () => {
    const recipients = [{ name: 'Sam Signer', email: 'typo@example.test' }, { name: 'Rita' }, { name: 'Dan' }]
    const sent = await sendDraft(ana, { recipients, settings: { allowDelegation: true } })
    const [sam, rita, dan] = sent.recipients
    const of = (recipient = sam) => `${documentsPath}/${sent.id}/recipients/${recipient?.id}`
    const right = `sam.${ana.id}@example.test`
    await ana.post(`${of()}/resend`, { email: right })
    await ana.post(`${of()}/resend`)
    await ana.post(`${of(rita)}/replace`, { name: 'Ron', email: `ron.${ana.id}@example.test` })
    const leaving = await visitorOf(app, dan?.email ?? '')
    await leaving.post(`${leaving.path}/delegate`, { name: 'Eve', email: `eve.${ana.id}@example.test` })
    await (await visitorOf(app, right, 2)).sign()
    for (const who of ['ron', 'eve']) await (await visitorOf(app, `${who}.${ana.id}@example.test`)).sign()
    const { body, text } = await certificateOf(sent.id)
    const owner = { name: 'Ana Owner', email: ana.email }
    expect(body.changes).toMatchObject([
      {
        type: 'email_corrected',
        by: owner,
        from: { email: 'typo@example.test' },
        to: { email: right },
        endsLinks: true,
      },
      { type: 'link_replaced', by: owner, to: { email: right }, endsLinks: true },
      { type: 'recipient_replaced', by: owner, from: { name: 'Rita' }, to: { name: 'Ron' } },
      { type: 'delegated', by: { name: 'Dan' }, from: { name: 'Dan' }, to: { name: 'Eve' } },
    ])
    expect(text).toContain('Changes to recipients')
    expect(text).toContain('typo@example.test')
    expect(text).toContain(`Asked for by Ana Owner <${ana.email}>`)
  })

  it('says that links ended only where they did: not of somebody who had signed and then says it wasn’t for them', async () => {
    const sent = await sendDraft(ana, { recipients: [{ name: 'Sam' }, { name: 'Rita' }] })
    const [sam, rita] = sent.recipients.map(({ email }) => email)
    const signer = await visitorOf(app, sam ?? '')
    await signer.sign()
    expect((await signer.post(`${signer.path}/stop`, { reason: 'NOT_ME' })).status).toBe(204)
    expect((await signer.read()).status).toBe(200)
    await (await visitorOf(app, rita ?? '')).sign()
    const { body, text } = await certificateOf(sent.id)
    expect(body.changes).toMatchObject([{ type: 'not_me', from: { name: 'Sam' }, endsLinks: false }])
    expect(text).toContain('said that they are not the person meant.')
    expect(text).not.toContain('Their links ended')
  })
})

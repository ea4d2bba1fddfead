import { beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { rowCounts } from '#test/access/row-counts.ts'
import { testApp } from '#test/harness/app.ts'
import type { Person } from '#test/harness/people.ts'
import {
  documentsPath,
  getDocument,
  makeDraft,
  sendDraft,
  sendForm,
  type Visitor,
  visitorOf,
  visitorWith,
} from '#test/harness/signing.ts'

const app = await testApp()
let ana: Person
beforeAll(async () => {
  ana = await app.user({ name: 'Ana Owner', isProven: true })
})

let count = 0
const setUp = async (more: Parameters<typeof sendDraft>[1] = {}) => {
  count += 1
  const email = `vic.${count}.${ana.id}@example.test`
  const sent = await sendDraft(ana, { recipients: [{ name: 'Vic Wrong', email }, {}], ...more })
  const visitor = await visitorOf(app, email)
  return { sent, email, visitor, path: `${documentsPath}/${sent.id}`, recipientId: sent.recipients[0]?.id }
}
const stop = (visitor: Visitor, reason: string) => visitor.post(`${visitor.path}/stop`, { reason })
const subjectsTo = (email: string) => app.lettersTo(email).map(({ subject }) => subject)

describe('a recipient who wants no more email from a sender', () => {
  it('says so with one request from the link in the email, and the sender is told', async () => {
    const { visitor, email, path, sent } = await setUp()
    const letter = await app.letterTo(email)
    expect(letter.text).toContain(`/sign/${visitor.token}/stop`)
    const before = await rowCounts(app)
    for (const suffix of ['/stop', '/resume']) {
      await visitor.get(visitor.path + suffix)
      await visitor.send('HEAD', visitor.path + suffix)
    }
    expect(await rowCounts(app)).toEqual(before)
    expect((await stop(visitor, 'because')).status).toBe(422)
    expect((await stop(visitor, 'NO_MORE_MAIL')).status).toBe(204)
    expect((await stop(visitor, 'NO_MORE_MAIL')).status).toBe(204)
    await expect.poll(() => subjectsTo(ana.email)).toContain('Vic Wrong doesn’t want emails from you')
    expect((await getDocument(ana, sent.id)).recipients.map(({ refusesMail }) => refusesMail)).toEqual([
      'NO_MORE_MAIL',
      null,
    ])
    const { entries } = (await ana.get(`${path}/audit`)).body
    expect(entries.filter(({ type }: { type: string }) => type === 'mail_refused')).toHaveLength(1)
  })

  it('gets none any more: no reminder, by hand or by itself, no resend, no later document, no ending', async () => {
    const { visitor, email, path, sent, recipientId } = await setUp({ settings: { reminderDays: 1 } })
    await stop(visitor, 'NO_MORE_MAIL')
    expect((await ana.post(`${path}/remind`)).status).toBe(200)
    const alone = await sendDraft(ana)
    const only = await visitorOf(app, alone.recipients[0]?.email ?? '')
    await stop(only, 'NO_MORE_MAIL')
    const refusal = { status: 409, body: { code: 'recipient_refuses_mail' } }
    expect(await ana.post(`${documentsPath}/${alone.id}/remind`)).toMatchObject(refusal)
    expect(await ana.post(`${path}/recipients/${recipientId}/resend`)).toMatchObject(refusal)
    const other = `${path}/recipients/${sent.recipients[1]?.id}`
    expect(await ana.post(`${other}/resend`, { email })).toMatchObject(refusal)
    expect(await ana.post(`${other}/replace`, { name: 'Vic', email })).toMatchObject(refusal)
    app.clock.forward({ minutes: 25 * 60 })
    const job = app.ports.signing.jobs?.find(({ name }) => name === 'signing.time')
    await job?.work({}, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })
    await expect.poll(() => subjectsTo(sent.recipients[1]?.email ?? '').length).toBe(3)
    const draft = await makeDraft(ana, { recipients: [{ email }] })
    const later = await ana.post(`${documentsPath}/${draft.id}/send`)
    expect(later).toMatchObject({ status: 409, body: { code: 'document_not_ready' } })
    expect(later.body.detail).toMatchObject([
      { type: 'recipient_refuses_mail', loc: ['recipients', expect.any(String)] },
    ])
    const roles = [{ recipientId: draft.recipients[0]?.id, name: 'Customer' }]
    const template = (await ana.post('/api/signing/templates', { documentId: draft.id, roles })).body
    const bytes = Buffer.from(`Customer name,Customer email\nVic,${email}\nSue,sue.${ana.id}@example.test\n`)
    const files = [{ name: 'a.csv', bytes }]
    const table = await sendForm(ana, `/api/signing/templates/${template.id}/bulk`, {
      files,
      fields: { preview: 'true' },
    })
    expect(table.body.rows).toMatchObject([{ problems: [expect.stringContaining("doesn't want")] }, { problems: [] }])
    await ana.post(`${path}/cancel`, { reason: 'Over' })
    expect(subjectsTo(email)).toHaveLength(1)
  })

  it('doesn’t fill the sender’s mailbox by taking it back and saying it again', async () => {
    const { visitor, sent, path } = await setUp()
    const owner = () => subjectsTo(ana.email).filter((subject) => subject.startsWith('Vic Wrong')).length
    const before = owner()
    for (let time = 0; time < 3; time += 1) {
      await stop(visitor, 'NO_MORE_MAIL')
      expect((await getDocument(ana, sent.id)).recipients[0]?.refusesMail).toBe('NO_MORE_MAIL')
      expect((await visitor.post(`${visitor.path}/resume`)).status).toBe(204)
      expect((await getDocument(ana, sent.id)).recipients[0]?.refusesMail).toBeNull()
    }
    await ana.post(`${path}/cancel`)
    // Later than whatever was to be mailed before it.
    await expect.poll(() => subjectsTo(sent.recipients[1]?.email ?? '').length).toBe(2)
    expect(owner() - before).toBe(1)
  })

  it('can still sign with the link they have, and be handed one, and take it back', async () => {
    const { visitor, path, recipientId, sent } = await setUp()
    await stop(visitor, 'NO_MORE_MAIL')
    const copied = await ana.post(`${path}/recipients/${recipientId}/link`)
    expect(copied.body.url).toContain('/sign/')
    expect((await visitor.post(`${visitor.path}/resume`)).status).toBe(204)
    expect((await getDocument(ana, sent.id)).recipients[0]?.refusesMail).toBeNull()
    expect((await ana.post(`${path}/recipients/${recipientId}/resend`)).status).toBe(200)
    expect((await visitor.read()).body.code).toBe('link_not_found')
  })

  it('says it without the code that protects the document, and hears from other senders', async () => {
    const { visitor, email } = await setUp({ settings: { emailOtp: true } })
    expect((await visitor.read()).body).not.toHaveProperty('document')
    expect((await stop(visitor, 'NO_MORE_MAIL')).status).toBe(204)
    const ben = await app.user({ isProven: true })
    expect((await sendDraft(ben, { recipients: [{ email }] })).state).toBe('SENT')
    await app.letterTo(email, 2)
  })
})

describe('“no more email”', () => {
  it('isn’t taken back by the sender, who may copy a link for that person', async () => {
    const { visitor, path, recipientId, sent } = await setUp()
    await stop(visitor, 'NO_MORE_MAIL')
    const { url } = (await ana.post(`${path}/recipients/${recipientId}/link`)).body
    const copied = visitorWith(app, url.split('/').at(-1))
    expect(await copied.post(`${copied.path}/resume`)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await getDocument(ana, sent.id)).recipients[0]?.refusesMail).toBe('NO_MORE_MAIL')
    expect((await copied.sign()).body.recipientState).toBe('SIGNED')
  })

  it('holds for the whole mailbox, whatever tag the sender adds to the address', async () => {
    const { visitor, email } = await setUp()
    await stop(visitor, 'NO_MORE_MAIL')
    const tagged = email.replace('@', '+more@')
    const draft = await makeDraft(ana, { recipients: [{ email: tagged }] })
    const reply = await ana.post(`${documentsPath}/${draft.id}/send`)
    expect(reply).toMatchObject({ status: 409, body: { detail: [{ type: 'recipient_refuses_mail' }] } })
    expect((await visitor.post(`${visitor.path}/resume`)).status).toBe(204)
    expect((await ana.post(`${documentsPath}/${draft.id}/send`)).status).toBe(200)
    await stop(await visitorOf(app, tagged), 'NO_MORE_MAIL')
    expect((await getDocument(ana, draft.id)).recipients[0]?.refusesMail).toBe('NO_MORE_MAIL')
    const again = await makeDraft(ana, { recipients: [{ email }] })
    expect((await ana.post(`${documentsPath}/${again.id}/send`)).status).toBe(409)
  })
})

describe('a recipient who isn’t the person meant', () => {
  it('ends the links of that address, and the sender, who is told, corrects it', async () => {
    const { visitor, email, path, recipientId, sent } = await setUp()
    const again = await visitorOf(app, email)
    expect((await stop(visitor, 'NOT_ME')).status).toBe(204)
    for (const one of [visitor, again]) expect((await one.read()).body.code).toBe('link_not_found')
    expect((await stop(visitor, 'NOT_ME')).body.code).toBe('link_not_found')
    await expect.poll(() => subjectsTo(ana.email)).toContain('A recipient says that “Lease” isn’t for them')
    expect((await getDocument(ana, sent.id)).recipients[0]?.refusesMail).toBe('NOT_ME')
    expect((await ana.post(`${path}/recipients/${recipientId}/resend`)).status).toBe(409)
    const right = `right.${email}`
    expect((await ana.post(`${path}/recipients/${recipientId}/resend`, { email: right })).status).toBe(200)
    expect((await getDocument(ana, sent.id)).recipients[0]?.refusesMail).toBeNull()
    expect((await (await visitorOf(app, right)).sign()).body.recipientState).toBe('SIGNED')
    expect(subjectsTo(email)).toHaveLength(1)
  })
})

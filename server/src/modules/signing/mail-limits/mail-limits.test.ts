import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer, createClient, type Reply } from '#test/harness/client.ts'
import type { Person } from '#test/harness/people.ts'
import {
  documentsPath,
  makeDraft,
  sendDraft,
  sendForm,
  type Visitor,
  visitorOf,
  visitorWith,
} from '#test/harness/signing.ts'

const env = {
  SIGNING_MAILS_PER_HOUR: '12',
  SIGNING_UNPROVEN_MAILS_PER_HOUR: '3',
  SIGNING_ORGANIZATION_MAILS_PER_HOUR: '15',
  SIGNING_ADDRESS_MAILS_PER_HOUR: '4',
}
const app = await testApp({ env })

const isLimit = { status: 429, body: { code: 'mail_limit_reached' } }
const expectLimit = (reply: Reply | undefined) => {
  expect(reply).toMatchObject(isLimit)
  expect(Number(reply?.headers.get('retry-after'))).toBeGreaterThan(0)
}
const drafts = async (who: Person, count: number) => {
  const made = []
  for (let index = 0; index < count; index += 1) made.push(await makeDraft(who))
  return made
}
const accepted = (replies: { status: number }[]) => replies.filter(({ status }) => status < 300).length

describe('mail to recipients', () => {
  it('is limited for a sender, exactly, over two nodes, and goes on later', async () => {
    const ana = await app.user({ isProven: true })
    const another = await testApp({ env, databaseUrl: app.databaseUrl })
    const elsewhere = createClient(another.url, bearer(ana.token))
    const made = await drafts(ana, 14)
    const replies = await Promise.all(
      made.map(({ id }, index) => (index % 2 === 0 ? ana : elsewhere).post(`${documentsPath}/${id}/send`)),
    )
    // It would deliver mails, too, to where this file doesn't look.
    await another.stop()
    expect(accepted(replies)).toBe(12)
    for (const reply of replies.filter(({ status }) => status !== 200)) expectLimit(reply)
    const left = made[replies.findIndex(({ status }) => status !== 200)]?.id
    app.clock.forward({ minutes: 10 })
    expect((await ana.post(`${documentsPath}/${left}/send`)).status).toBe(200)
  })

  it('is limited far more for an account whose email address is not proven', async () => {
    const eve = await app.user()
    const replies = []
    for (const { id } of await drafts(eve, 6)) replies.push(await eve.post(`${documentsPath}/${id}/send`))
    expect(accepted(replies)).toBe(3)
    expectLimit(replies[5])
    expect(replies[5]?.body.detail).toContain('Confirm your email address')
  })

  it('is limited for an organization, however many of its members send', async () => {
    const boss = await app.user({ org: 'limited', isProven: true })
    const member = await app.user({ org: 'limited', isProven: true })
    const replies = []
    for (const who of [boss, member])
      for (const { id } of await drafts(who, 9)) replies.push(await who.post(`${documentsPath}/${id}/send`))
    expect(accepted(replies)).toBe(15)
    expectLimit(replies.at(-1))
  })

  it('is limited for one address, through every door: sending, reminders, resends, replacing, delegating and tables', async () => {
    const ana = await app.user({ isProven: true })
    const victim = `victim.${ana.id}@example.test`
    const sent = await sendDraft(ana, { recipients: [{ email: victim }], settings: { allowDelegation: true } })
    const path = `${documentsPath}/${sent.id}`
    const recipient = `${path}/recipients/${sent.recipients[0]?.id}`
    expect((await ana.post(`${path}/remind`)).status).toBe(200)
    expect((await ana.post(`${recipient}/resend`)).status).toBe(200)
    expect((await ana.post(`${path}/remind`)).status).toBe(200)
    expectLimit(await ana.post(`${path}/remind`))
    expectLimit(await ana.post(`${recipient}/resend`))
    const other = await sendDraft(ana, { settings: { allowDelegation: true } })
    const otherOne = `${documentsPath}/${other.id}/recipients/${other.recipients[0]?.id}`
    expectLimit(await ana.post(`${otherOne}/resend`, { email: victim }))
    expectLimit(await ana.post(`${otherOne}/replace`, { name: 'Vic', email: victim }))
    const visitor = await visitorOf(app, other.recipients[0]?.email ?? '')
    expectLimit(await visitor.post(`${visitor.path}/delegate`, { name: 'Vic', email: victim }))
    const draft = await makeDraft(ana, { recipients: [{ email: victim }] })
    expectLimit(await ana.post(`${documentsPath}/${draft.id}/send`))
    const roles = [{ recipientId: draft.recipients[0]?.id, name: 'Customer' }]
    const template = (await ana.post('/api/signing/templates', { documentId: draft.id, roles })).body
    const people = [{ roleId: template.recipients[0].id, name: 'Vic', email: victim }]
    expectLimit(await ana.post(`/api/signing/templates/${template.id}/use`, { recipients: people, send: true }))
    const table = (email: string) =>
      sendForm(ana, `/api/signing/templates/${template.id}/bulk`, {
        files: [{ name: 'a.csv', bytes: Buffer.from(`Customer name,Customer email\n${`Vic,${email}\n`.repeat(5)}`) }],
      })
    expectLimit(await table(victim))
    expectLimit(await table(`fresh.${victim}`))
    expect(app.lettersTo(victim)).toHaveLength(4)
    // Nothing of what was refused was counted: another address still gets what is left.
    expect((await sendDraft(ana)).state).toBe('SENT')
  })

  it('is limited for one mailbox, whatever tags the sender adds to its address', async () => {
    const ana = await app.user({ isProven: true })
    const replies = []
    for (const tag of ['', '+a', '+b', '+c', '+d']) {
      const { id } = await makeDraft(ana, { recipients: [{ email: `tagged.${ana.id}${tag}@example.test` }] })
      replies.push(await ana.post(`${documentsPath}/${id}/send`))
    }
    expect(accepted(replies)).toBe(4)
    expectLimit(replies.at(-1))
  })

  it('is limited where the sender asks for codes with links that they copied', async () => {
    const ana = await app.user({ isProven: true })
    const email = `coded.${ana.id}@example.test`
    const sent = []
    for (let count = 0; count < 2; count += 1)
      sent.push(await sendDraft(ana, { recipients: [{ email }], settings: { emailOtp: true } }))
    const theirs = await visitorOf(app, email)
    await theirs.post(`${theirs.path}/stop`, { reason: 'NO_MORE_MAIL' })
    const copied: Visitor[] = []
    for (const { id, recipients } of sent) {
      const { url } = (await ana.post(`${documentsPath}/${id}/recipients/${recipients[0]?.id}/link`)).body
      copied.push(visitorWith(app, url.split('/').at(-1)))
    }
    for (const one of copied) expect((await one.post(`${one.path}/otp`)).status).toBe(202)
    app.clock.forward({ minutes: 2 })
    for (const one of copied) expectLimit(await one.post(`${one.path}/otp`))
    // With the link in their email they get one whenever they ask.
    expect((await theirs.post(`${theirs.path}/otp`)).status).toBe(202)
  })

  it('is not limited for the addresses of colleagues, who sign everything', async () => {
    const boss = await app.user({ org: 'countersign', isProven: true })
    const colleague = await app.user({ org: 'countersign', isProven: true })
    const replies = []
    for (let count = 0; count < 7; count += 1)
      replies.push(await sendDraft(boss, { recipients: [{ email: colleague.email }] }))
    expect(replies).toHaveLength(7)
  })
})

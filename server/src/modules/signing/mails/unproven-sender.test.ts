import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { documentsPath, makeDraft, sendDraft, visitorOf } from '#test/harness/signing.ts'

const app = await testApp()

const secrets = ['You won', 'Click evil.test', 'Sincerely', 'Prince Ali', 'Because you won', 'winner@']

const lettersOf = (email: string) =>
  app.smtp.mails
    .filter(({ recipients }) => recipients.includes(email))
    .map((mail) => `${mail.subject} ${mail.text} ${mail.html}`)

it('nothing that an unproven sender typed goes out in any mail: name, title, message, reason, and none to themselves', async () => {
  const ali = await app.user({ name: 'Prince Ali Pays' })
  const options = (language: string) => ({
    title: 'You won 1000 coins',
    recipients: [{ name: 'Dear winner@', message: 'Sincerely yours', language }],
    settings: { message: 'Click evil.test now', reminderDays: 1, expiresAt: null },
  })
  const emails: string[] = []
  const send = async (language = 'en') => {
    const sent = await sendDraft(ali, options(language))
    const email = sent.recipients[0]?.email ?? ''
    emails.push(email)
    return { id: sent.id, email, recipientId: sent.recipients[0]?.id }
  }
  const cancelled = await send('de')
  await ali.post(`${documentsPath}/${cancelled.id}/remind`)
  await ali.post(`${documentsPath}/${cancelled.id}/cancel`, { reason: 'Because you won' })
  await app.letterTo(cancelled.email, 3)
  const declined = await send()
  const visitor = await visitorOf(app, declined.email)
  await visitor.post(`${visitor.path}/decline`, { reason: 'Because you won' })
  await app.letterTo(ali.email, 1)
  const completed = await send('ja')
  await (await visitorOf(app, completed.email)).sign()
  await app.letterTo(completed.email, 2)
  const told = [...emails, ali.email].flatMap(lettersOf)
  expect(told.length).toBeGreaterThanOrEqual(7)
  for (const text of told) for (const secret of secrets) expect(text).not.toContain(secret)
  expect((await app.letterTo(declined.email)).text).toContain('hasn’t confirmed their email address')
  // The page says it all: who opens it does so themselves.
  expect((await visitor.read()).body.document.title).toBe('You won 1000 coins')
})

it('a sender who proves their address speaks for themselves from then on', async () => {
  const ana = await app.user({ name: 'Ana Owner' })
  const { id } = await makeDraft(ana, { title: 'Lease', settings: { message: 'Hello Sam' } })
  await app.db.updateTable('users').set({ emailProvenAt: new Date() }).where('id', '=', ana.id).execute()
  const { body } = await ana.post(`${documentsPath}/${id}/send`)
  const letter = await app.letterTo(body.recipients[0].email)
  expect(letter.subject).toBe('Ana Owner asks you to sign “Lease”')
  expect(letter.text).toContain('Hello Sam')
})

/** Row 12 of the isolation issue: what a free account with an unproven address can send in our name, at the defaults. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import type { Reply } from '#test/harness/client.ts'
import { documentsPath, makeDraft, sendDraft } from '#test/harness/signing.ts'
import { until } from '#test/kernel/until.ts'

const app = await testApp()

const accepted = (replies: readonly Reply[]) => replies.filter(({ status }) => status < 300).length
const mailsTo = (part: string) =>
  app.smtp.mails.filter(({ recipients }) => recipients.some((address) => address.includes(part))).length

describe('a free account with an unproven address', () => {
  it('sends one victim three mails, not 160, by sixty reminders and a hundred resends', async () => {
    const eve = await app.user()
    const victim = `victim.${eve.id}@example.test`
    const { id, recipients } = await sendDraft(eve, { recipients: [{ email: victim }] })
    const replies: Reply[] = []
    for (let at = 0; at < 60; at += 1) replies.push(await eve.post(`${documentsPath}/${id}/remind`))
    for (let at = 0; at < 100; at += 1)
      replies.push(await eve.post(`${documentsPath}/${id}/recipients/${recipients[0]?.id}/resend`))

    expect(accepted(replies)).toBe(2)
    expect(replies.at(-1)).toMatchObject({ status: 429, body: { code: expect.stringMatching(/limit|requests/) } })
    await until(() => mailsTo(victim) >= 3, 'the mails')
    expect(mailsTo(victim)).toBe(3)
  })

  it('sends twenty mails, not 600, by documents to a hundred people', async () => {
    const eve = await app.user()
    const people = (round: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({ email: `p${round}.${at}.${eve.id}@example.test` }))
    for (let round = 0; round < 6; round += 1) {
      const draft = await makeDraft(eve, { recipients: people(round, 100) })
      const refused = await eve.post(`${documentsPath}/${draft.id}/send`)
      expect(refused).toMatchObject({ status: 429, body: { code: 'mail_limit_reached' } })
    }
    const few = await makeDraft(eve, { recipients: people(7, 20) })
    expect(await eve.post(`${documentsPath}/${few.id}/send`)).toMatchObject({ status: 200 })
    const refused = await eve.post(`${documentsPath}/${(await makeDraft(eve)).id}/send`)
    expect(refused).toMatchObject({ status: 429 })
    expect(refused.body.detail).toContain('recipient_mails')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await until(() => mailsTo(eve.id) >= 20, 'the mails')
    expect(mailsTo(eve.id)).toBe(20)
  })
})

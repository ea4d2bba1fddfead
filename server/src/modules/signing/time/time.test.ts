import { beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import type { Person } from '#test/harness/people.ts'
import {
  documentsPath as base,
  getDocument,
  makeDraft,
  sendDraft,
  type Visitor,
  visitorOf,
  visitorsOf,
} from '#test/harness/signing.ts'
import { refusalOf } from '../recipients/refusals.ts'

const app = await testApp()
let ana: Person
beforeAll(async () => {
  ana = await app.user({ name: 'Ana Owner', isProven: true })
})

/** Runs the job that otherwise runs once a minute. */
const runTimeJob = async () => {
  const job = app.ports.signing.jobs?.find(({ name }) => name === 'signing.time')
  await job?.work({}, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })
}
const inDays = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString()
const eventsOf = async (id: string) =>
  (await ana.get(`/api/v1/events?correlation_id=${id}`)).body.data.map(
    (event: { event_type: string }) => event.event_type,
  )

describe('an expiry', () => {
  it('closes the document for everybody, once, and says so', async () => {
    const sent = await sendDraft(ana, { recipients: [{}, {}], settings: { expiresAt: inDays(1) } })
    const [first, second] = (await visitorsOf(app, sent)) as [Visitor, Visitor]
    await first.sign()
    app.clock.forward({ days: 1.1 })
    expect((await second.sign()).body.code).toBe('document_expired')
    await Promise.all([runTimeJob(), runTimeJob()])
    const { state, recipients } = await getDocument(ana, sent.id)
    expect({ state, states: recipients.map((one) => one.state) }).toEqual({
      state: 'EXPIRED',
      states: ['SIGNED', 'EXPIRED'],
    })
    expect((await eventsOf(sent.id)).filter((type: string) => type === 'document_expired')).toHaveLength(1)
    expect((await app.letterTo(second.email, 2)).subject).toBe('Expired: “Lease”')
    expect((await second.read()).body).toMatchObject({ document: { state: 'EXPIRED' }, refusal: 'document_expired' })
    expect((await ana.patch(`${base}/${sent.id}`, { expiresAt: inDays(1) })).body.code).toBe('document_finished')
  })

  it.each([
    ['a viewer', { id: 'viewer' }],
    ['a signer who was not due yet', { id: 'second' }],
    ['a signer who was due', { id: 'first' }],
  ])('is the reason that %s is given, also before the job has noticed it', (_name, recipient) => {
    const recipients = [
      { id: 'first', role: 'SIGNER', orderNumber: 1, state: 'NOTIFIED' },
      { id: 'second', role: 'SIGNER', orderNumber: 2, state: 'PENDING' },
      { id: 'viewer', role: 'VIEWER', orderNumber: 1, state: 'OPENED' },
    ] as const
    const now = app.clock.now()
    const document = { state: 'SENT', signingOrder: 'SEQUENTIAL', expiresAt: now } as const
    expect(refusalOf({ document, recipient, recipients, now })).toBe('document_expired')
  })

  it('can be moved while the document is being signed, but not into the past', async () => {
    const sent = await sendDraft(ana, { settings: { expiresAt: inDays(1) } })
    expect((await ana.patch(`${base}/${sent.id}`, { expiresAt: inDays(-1) })).status).toBe(422)
    expect((await ana.patch(`${base}/${sent.id}`, { expiresAt: inDays(30) })).status).toBe(200)
    app.clock.forward({ days: 2 })
    await runTimeJob()
    expect((await getDocument(ana, sent.id)).state).toBe('SENT')
  })
})

describe('a reminder', () => {
  it('by hand goes to those whose turn it is, with their name in the log; a draft and a finished document have none', async () => {
    const recipients = [{ order: 1 }, { order: 2 }]
    const sent = await sendDraft(ana, { recipients, settings: { signingOrder: 'SEQUENTIAL' } })
    const [first, second] = sent.recipients
    const visitor = await visitorOf(app, first?.email ?? '')
    expect((await ana.post(`${base}/${sent.id}/remind`)).status).toBe(200)
    expect((await app.letterTo(first?.email ?? '', 2)).link()).toBeTruthy()
    expect(app.lettersTo(second?.email ?? '')).toEqual([])
    expect((await visitor.read()).status).toBe(200)
    const { entries } = (await ana.get(`${base}/${sent.id}/audit`)).body
    expect(entries.at(-1)).toMatchObject({ type: 'reminded', actor: { name: 'Ana Owner' } })
    await ana.post(`${base}/${sent.id}/cancel`)
    expect((await ana.post(`${base}/${sent.id}/remind`)).body.code).toBe('document_finished')
    expect((await ana.post(`${base}/${(await makeDraft(ana)).id}/remind`)).body.code).toBe('document_not_sent')
  })

  it('goes at the interval to those who were asked and have not acted, and leaves their first link working', async () => {
    const sent = await sendDraft(ana, {
      recipients: [{ order: 1 }, { order: 1 }, { order: 2 }],
      settings: { signingOrder: 'SEQUENTIAL', reminderDays: 3 },
    })
    const [first, second, third] = sent.recipients.map(({ email }) => email) as [string, string, string]
    await (await visitorOf(app, first)).sign()
    await runTimeJob()
    app.clock.forward({ days: 3.1 })
    await runTimeJob()
    await runTimeJob()
    expect((await app.letterTo(second, 2)).subject).toBe('Reminder: “Lease” is waiting for you')
    expect([first, second, third].map((email) => app.lettersTo(email).length)).toEqual([1, 2, 0])
    expect((await (await visitorOf(app, second, 2)).read()).status).toBe(200)
    expect((await (await visitorOf(app, second, 1)).sign()).body.recipientState).toBe('SIGNED')
  })
})

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { rowCounts } from '#test/access/row-counts.ts'
import { signingRows } from '#test/access/signing-rows.ts'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import type { Person } from '#test/harness/people.ts'
import {
  documentsPath as base,
  type DraftOptions,
  getDocument,
  makeDraft,
  sendDraft,
  sendForm,
  signatureField,
  type Visitor,
  visitorOf,
  visitorsOf,
  visitorWith,
} from '#test/harness/signing.ts'
import { startPoppler } from '#test/peers/poppler.ts'
import { checkChain } from '../evidence/chain.ts'

const poppler = startPoppler()
const app = await testApp({ env: { LOG_LEVEL: 'debug' } })
let ana: Person
beforeAll(async () => {
  ana = await app.user({ name: 'Ana Owner', isProven: true })
})

const isCompleted = (id: string) =>
  expect.poll(async () => (await getDocument(ana, id)).state, { timeout: 20_000 }).toBe('COMPLETED')

/** Types the code that was mailed as the n-th letter, and carries the session on from there. */
const enterCode = async (visitor: Visitor, letter: number) => {
  await visitor.post(`${visitor.path}/otp`)
  const otp = (await app.letterTo(visitor.email, letter)).code()
  return visitor.post(`${visitor.path}/otp/verify`, { otp })
}

describe('from link to sealed document', () => {
  it('a recipient opens, agrees, fills in, signs and downloads what the owner has too', async () => {
    const draft = await makeDraft(ana, { title: 'Lease', recipients: [{ name: 'Sam' }, { role: 'CC', name: 'Cora' }] })
    const [sam, cora] = draft.recipients
    const own = sam?.id ?? ''
    const field = (type: string, more = {}) => ({ ...signatureField(own), type, height: 0.03, ...more })
    await ana.put(`${base}/${draft.id}/fields`, [
      field('SIGNATURE'),
      field('DATE', { y: 0.2 }),
      field('TEXT', { y: 0.3, label: 'Company', maxLength: 10 }),
      field('NUMBER', { y: 0.4, min: 1, max: 5, required: false }),
      field('DROPDOWN', { y: 0.5, options: ['Red', 'Blue'] }),
      field('TEXT', { y: 0.6, value: 'fixed', readOnly: true }),
    ])
    await ana.post(`${base}/${draft.id}/send`)
    const visitor = await visitorOf(app, sam?.email ?? '')
    const { path } = visitor
    const facts = (await visitor.read()).body
    expect(facts).toMatchObject({
      otpRequired: false,
      document: { title: 'Lease', sender: { name: 'Ana Owner' }, files: [{ pageCount: 1 }] },
      recipient: { name: 'Sam', state: 'NOTIFIED' },
      canComplete: true,
    })
    expect((await visitor.get(`${path}/file`)).status).toBe(200)
    expect((await visitor.get(`${path}/download`)).body.code).toBe('document_not_completed')
    expect((await visitor.post(`${path}/open`)).body.recipientState).toBe('OPENED')
    expect((await visitor.post(`${path}/complete`)).body.code).toBe('consent_required')
    expect((await visitor.post(`${path}/consent`, { accepted: false })).status).toBe(422)
    expect((await visitor.post(`${path}/consent`, { accepted: true })).status).toBe(204)

    const missing = await visitor.post(`${path}/complete`)
    expect(missing).toMatchObject({ status: 422, body: { code: 'fields_missing' } })
    expect(missing.body.detail).toHaveLength(3)
    const ids = facts.fields.map(({ id }: { id: string }) => id)
    const value = (index: number, given: unknown) => ({ fieldId: ids[index], value: given })
    const wrong = [value(2, 'much too long'), value(3, '7'), value(4, 'Green'), value(5, 'x'), value(0, true)]
    const refused = await visitor.put(`${path}/fields`, wrong)
    expect(refused.body.detail.map(({ loc }: { loc: unknown[] }) => loc[1])).toEqual([0, 1, 2, 3, 4])
    const right = [value(0, { typed: 'Sam' }), value(2, 'Acme'), value(4, 'Blue')]
    expect((await visitor.put(`${path}/fields`, right)).status).toBe(204)
    expect((await visitor.post(`${path}/complete`)).body.recipientState).toBe('SIGNED')
    await isCompleted(draft.id)

    const done = await getDocument(ana, draft.id)
    expect(done.fields[1]?.value).toBe(app.clock.now().toISOString().slice(0, 10))
    const sealed = await visitor.send('GET', `${path}/download`)
    expect(sealed.headers.get('content-disposition')).toContain('Lease.pdf')
    const fetched = await fetch(`${app.url}${path}/download`)
    const bytes = Buffer.from(await fetched.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(done.seal?.sha256)
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const copy = await visitorOf(app, cora?.email ?? '')
    expect((await copy.get(`${copy.path}/download`)).status).toBe(200)
    expect((await app.letterTo(ana.email)).subject).toBe('Completed: “Lease”')
  })

  it('tells each address once that it is completed: a sender who also signs, and somebody who also gets a copy', async () => {
    const olga = await app.user({ name: 'Olga', isProven: true })
    const twice = `twice.${olga.id}@example.test`
    const recipients = [{ email: olga.email }, { email: twice }, { email: twice, role: 'CC' as const }]
    await sendDraft(olga, { title: 'Both sides', recipients })
    for (const email of [olga.email, twice]) await (await visitorOf(app, email)).sign()
    const completed = (email: string) =>
      app.lettersTo(email).filter(({ subject }) => subject === 'Completed: “Both sides”').length
    for (const email of [olga.email, twice]) await expect.poll(() => completed(email), { timeout: 20_000 }).toBe(1)
    // Those that are still on their way count, too.
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from mail_outbox where subject = 'Completed: “Both sides”'`.execute(app.db)
    expect(rows[0]?.count).toBe(2)
  })

  it('leaves a certificate and a chain that anybody can check from the export', async () => {
    const sent = await sendDraft(ana, { recipients: [{ order: 1 }, { order: 2, role: 'CC' }] })
    const visitor = await visitorOf(app, sent.recipients[0]?.email ?? '')
    await visitor.sign()
    await isCompleted(sent.id)
    const { body } = await ana.get(`${base}/${sent.id}/certificate`)
    expect(body).toMatchObject({
      title: 'Lease',
      owner: { email: ana.email },
      recipients: [
        { state: 'SIGNED', authentication: 'link', ip: expect.stringMatching(/^10\.200\./) },
        { role: 'CC', openedAt: null },
      ],
      seal: { level: 'B-B' },
    })
    expect(body.recipients[0].consentVersion).toMatch(/-en$/)
    expect(checkChain(sent.id, body.audit, body.chainHead.seq)).toBeUndefined()
    const types = body.audit.map(({ type }: { type: string }) => type)
    const [own, theirs] = await Promise.all([
      fetch(`${app.url}${base}/${sent.id}/certificate.pdf`, { headers: bearer(ana.token) }),
      fetch(`${app.url}${visitor.path}/certificate.pdf`),
    ])
    const certificate = Buffer.from(await own.arrayBuffer())
    expect(Buffer.from(await theirs.arrayBuffer()).equals(certificate)).toBe(true)
    const verified = await sendForm(app.newcomer(), '/api/public/verify', {
      files: [{ name: 'c.pdf', bytes: certificate }],
    })
    expect(verified.body).toMatchObject({ valid: true, coversWholeFile: true, documentId: sent.id })
    const text = poppler.text(certificate).replace(/\s/g, '')
    expect(text).toContain(body.seal.sha256)
    expect(text.match(/Identifiedby/g)).toHaveLength(1)
    for (const type of ['opened', 'consented', 'fields_filled', 'signed', 'sealed', 'completed'])
      expect(types).toContain(type)
  })

  it('publishes what happened on the event bus, once, correlated by document', async () => {
    const sent = await sendDraft(ana)
    const [visitor] = await visitorsOf(app, sent)
    await visitor?.sign()
    await visitor?.post(`${visitor.path}/open`)
    await visitor?.post(`${visitor.path}/complete`)
    await isCompleted(sent.id)
    const { body } = await ana.get(`/api/v1/events?correlation_id=${sent.id}`)
    expect(body.data.map(({ event_type }: { event_type: string }) => event_type).toReversed()).toEqual([
      'document_sent',
      'document_opened',
      'recipient_signed',
      'document_completed',
    ])
  })
})

interface Holder {
  make: () => Promise<{ visitor: Visitor; headers: Record<string, string> }>
  /** Requests that still answer, and change nothing. */
  allowed: readonly string[]
  refusals: readonly string[]
}

/** Every address below a link, with a body that would do. */
const linkAddresses = Object.entries(signingRows).flatMap(([key, { body }]): [string, string, unknown][] => {
  const [, method = '', suffix = ''] = /^(\w+) \/api\/public\/sign\/:token(.*)$/.exec(key) ?? []
  // Stopping email works with any link that is in force.
  if (suffix === '/stop' || suffix === '/resume') return []
  return method === '' ? [] : [[method, suffix, suffix === '/otp/verify' ? { otp: '000000' } : body]]
})

const sentOnce = async (options: Pick<DraftOptions, 'settings'> = {}) => {
  const settings = { allowDelegation: true, ...options.settings }
  const sent = await sendDraft(ana, { recipients: [{}, {}], settings })
  const [visitor, other] = (await visitorsOf(app, sent)) as [Visitor, Visitor]
  const recipient = `${base}/${sent.id}/recipients/${sent.recipients[0]?.id}`
  return { visitor, other, recipient, headers: {} }
}
const rotated: Holder['make'] = async () => {
  const made = await sentOnce()
  await ana.post(`${made.recipient}/resend`)
  return made
}
const replaced: Holder['make'] = async () => {
  const made = await sentOnce()
  await ana.post(`${made.recipient}/replace`, { name: 'Another', email: 'another@example.test' })
  return made
}
const expired: Holder['make'] = async () => {
  const expiresAt = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
  const made = await sentOnce({ settings: { expiresAt } })
  app.clock.forward({ minutes: 120 })
  return made
}
const used: Holder['make'] = async () => {
  const made = await sentOnce()
  await made.visitor.sign()
  return made
}
const withSessionOfOther: Holder['make'] = async () => {
  const made = await sentOnce({ settings: { emailOtp: true } })
  const { body } = await enterCode(made.other, 2)
  return { ...made, headers: { 'x-signing-session': body.sessionToken } }
}

describe('a link (A16)', () => {
  it('changes nothing when it is read, however often, but for one note that the file was fetched', async () => {
    const sent = await sendDraft(ana)
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    const before = await rowCounts(app)
    for (const suffix of ['', '/file']) {
      await visitor.get(visitor.path + suffix)
      await visitor.send('HEAD', visitor.path + suffix)
    }
    expect(await rowCounts(app)).toEqual({ ...before, signing_audit: (before['signing_audit'] ?? 0) + 1 })
    expect((await getDocument(ana, sent.id)).recipients[0]?.state).toBe('NOTIFIED')
  })

  it('after use shows the finished state and neither file nor fields', async () => {
    const sent = await sendDraft(ana, { recipients: [{}, {}] })
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    await visitor.sign()
    const { body } = await visitor.read()
    expect(body).toMatchObject({
      recipient: { state: 'SIGNED' },
      fields: [],
      document: { files: [] },
      canComplete: false,
    })
    expect((await visitor.get(`${visitor.path}/file`)).body.code).toBe('already_signed')
    expect((await visitor.post(`${visitor.path}/decline`, { reason: 'no' })).body.code).toBe('already_signed')
    expect((await visitor.put(`${visitor.path}/fields`, [])).body.code).toBe('already_signed')
  })

  it('dies when the owner sends a new one', async () => {
    const sent = await sendDraft(ana)
    const [old] = (await visitorsOf(app, sent)) as [Visitor]
    await ana.post(`${base}/${sent.id}/recipients/${sent.recipients[0]?.id}/resend`)
    const fresh = await visitorOf(app, old.email, 2)
    expect((await old.read()).body.code).toBe('link_not_found')
    expect((await old.sign()).status).toBe(404)
    expect((await fresh.sign()).body.recipientState).toBe('SIGNED')
  })

  it.each<[string, Holder['make'], Holder['allowed'], Holder['refusals']]>([
    ['was replaced by a newer one', rotated, [], ['link_not_found']],
    ['belongs to somebody who was replaced', replaced, [], ['link_not_found']],
    [
      'belongs to an expired document',
      expired,
      ['GET', 'POST /open'],
      ['document_expired', 'document_finished', 'document_not_completed', 'otp_not_needed'],
    ],
    [
      'was used',
      used,
      ['GET', 'POST /open', 'POST /complete'],
      ['already_signed', 'document_not_completed', 'otp_not_needed'],
    ],
    [
      'comes with the session of another recipient',
      withSessionOfOther,
      ['GET', 'POST /otp'],
      ['otp_required', 'invalid_otp'],
    ],
  ])('lets nobody do more at any of its addresses when it %s', async (_name, make, allowed, refusals) => {
    const { visitor, headers } = await make()
    const before = await rowCounts(app)
    for (const [method, suffix, body] of linkAddresses) {
      const reply = await visitor.send(method, visitor.path + suffix, {
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const name = `${method} ${suffix}`.trim()
      if (allowed.includes(name)) expect(reply.status, name).toBeLessThan(300)
      else expect(refusals, name).toContain(reply.body?.code)
      if (name === 'GET') expect(reply.body.document?.files ?? [], name).toEqual([])
    }
    const mayAskForCode = allowed.includes('POST /otp')
    if (!mayAskForCode) expect(await rowCounts(app)).toEqual(before)
  })

  it('is slow to guess', async () => {
    const stranger = visitorWith(app, app.unknownId())
    const replies = []
    for (let count = 0; count < 70; count += 1) replies.push((await stranger.read()).status)
    expect(new Set(replies)).toEqual(new Set([404, 429]))
    const sent = await sendDraft(ana)
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    expect((await visitor.read()).status).toBe(200)
  })

  it('and its token are in no reply to the owner, no log, no audit entry and no event', async () => {
    const sent = await sendDraft(ana, { settings: { emailOtp: true } })
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    const { body } = await enterCode(visitor, 2)
    const session = { 'x-signing-session': body.sessionToken }
    await visitor.post(`${visitor.path}/open`, undefined, session)
    await visitor.post(`${visitor.path}/consent`, { accepted: true }, session)
    const replies = await Promise.all(
      ['', '/audit', '/certificate'].map((path) => ana.get(`${base}/${sent.id}${path}`)),
    )
    const events = await ana.get(`/api/v1/events?correlation_id=${sent.id}`)
    const list = await ana.get(base)
    const text = [...replies, events, list].map((reply) => reply.text).join('\n') + app.logLines.join('\n')
    expect(text).toContain(sent.id)
    expect(text).toContain('/api/public/sign/:token')
    expect(text).not.toContain(visitor.token)
    expect(text).not.toContain(body.sessionToken)
    const stored = await app.db.selectFrom('signingLinks').select('tokenHash').execute()
    expect(JSON.stringify(stored)).not.toContain(visitor.token)
  })
})

describe('a link that the sender hands over because the email could not go out', () => {
  const linkOf = (id: string, recipientId = '') => ana.post(`${base}/${id}/recipients/${recipientId}/link`)
  const failMail = (email = '') =>
    app.db.updateTable('mailOutbox').set({ status: 'failed' }).where('recipient', '=', email).execute()

  it('signs the document, and activity and certificate say that it proves no address', async () => {
    const sent = await sendDraft(ana)
    const [sam] = sent.recipients
    expect(await linkOf(sent.id, sam?.id)).toMatchObject({ status: 409, body: { code: 'link_goes_by_email' } })
    const [mailed] = await visitorsOf(app, sent)
    await failMail(sam?.email)
    const { url } = (await linkOf(sent.id, sam?.id)).body
    const visitor = visitorWith(app, url.split('/').at(-1))
    await visitor.post(`${visitor.path}/open`)
    expect((await mailed?.read())?.status).toBe(200)
    expect((await visitor.sign()).body.recipientState).toBe('SIGNED')
    await isCompleted(sent.id)
    const certificate = await ana.get(`${base}/${sent.id}/certificate`)
    const { recipients, audit } = certificate.body
    expect(recipients[0].authentication).toBe('copied_link')
    const details = audit.map(({ type, detail }: { type: string; detail: object }) => ({ type, ...detail }))
    expect(details).toContainEqual(expect.objectContaining({ type: 'link_copied', email: sam?.email }))
    expect(details).toContainEqual(expect.objectContaining({ type: 'opened', via: 'copied_link' }))
    expect(details).toContainEqual(expect.objectContaining({ type: 'signed', authentication: 'copied_link' }))
    expect(certificate.text).not.toContain(visitor.token)
    expect((await linkOf(sent.id, sam?.id)).body.code).toBe('document_finished')
  })

  it('leaves nothing behind for a recipient who comes by email: they open, agree and sign for themselves', async () => {
    const sent = await sendDraft(ana)
    const [sam] = sent.recipients
    const [mailed] = (await visitorsOf(app, sent)) as [Visitor]
    await failMail(sam?.email)
    const copied = visitorWith(app, (await linkOf(sent.id, sam?.id)).body.url.split('/').at(-1))
    await copied.prepare()
    const certificate = async () => (await ana.get(`${base}/${sent.id}/certificate`)).body
    expect((await certificate()).recipients).toMatchObject([{ state: 'OPENED', authentication: 'copied_link' }])

    const facts = { recipient: { state: 'NOTIFIED' }, consent: { acceptedAt: null } }
    expect((await mailed.read()).body).toMatchObject(facts)
    expect((await mailed.post(`${mailed.path}/complete`)).body.code).toBe('consent_required')
    await mailed.post(`${mailed.path}/open`)
    await mailed.post(`${mailed.path}/consent`, { accepted: true })
    expect((await mailed.post(`${mailed.path}/complete`)).body.code).toBe('fields_missing')
    expect((await mailed.sign()).body.recipientState).toBe('SIGNED')
    const { recipients, audit } = await certificate()
    expect(recipients).toMatchObject([{ state: 'SIGNED', authentication: 'link' }])
    const agreed = audit.filter(({ type }: { type: string }) => type === 'consented')
    expect(agreed).toMatchObject([{ detail: { via: 'copied_link' } }, { detail: { via: 'link' } }])
  })

  it('still asks for the code, ends with a resend, and is made for no key and before no turn', async () => {
    const recipients = [{ order: 1 }, { order: 2 }]
    const settings = { emailOtp: true, signingOrder: 'SEQUENTIAL' } as const
    const sent = await sendDraft(ana, { recipients, settings })
    const [first, second] = sent.recipients
    expect((await linkOf(sent.id, second?.id)).body.code).toBe('recipient_not_notified')
    await failMail(first?.email)
    const { key } = (await ana.post('/api/v1/api-keys', { name: 'agent' })).body
    const path = `${base}/${sent.id}/recipients/${first?.id}/link`
    expect((await app.newcomer().post(path, undefined, bearer(key))).body.code).toBe('forbidden')
    const { url } = (await linkOf(sent.id, first?.id)).body
    const visitor = visitorWith(app, url.split('/').at(-1))
    expect((await visitor.read()).body).toMatchObject({ otpRequired: true })
    await ana.post(`${base}/${sent.id}/recipients/${first?.id}/resend`)
    expect((await visitor.read()).status).toBe(404)
  })
})

describe('a recipient with an account', () => {
  const inbox = '/api/signing/inbox'
  const open = (person: Person, recipientId = '') => person.post(`${inbox}/${recipientId}/open`)

  it('finds the document there, opens it without the mail, and the evidence says so', async () => {
    const sam = await app.user({ name: 'Sam', isProven: true })
    const sent = await sendDraft(ana, { title: 'For Sam', recipients: [{ email: sam.email }] })
    const { body } = await sam.get(inbox)
    expect(body).toMatchObject({
      emailVerified: true,
      data: [{ title: 'For Sam', sender: 'Ana Owner', role: 'SIGNER' }],
    })
    const opened = await open(sam, body.data[0].recipientId)
    expect(opened).toMatchObject({ status: 200, body: { path: expect.stringMatching(/^\/sign\/[0-9a-f-]{36}$/) } })
    const visitor = visitorWith(app, opened.body.path.split('/').at(-1))
    expect((await visitor.sign()).body.recipientState).toBe('SIGNED')
    await isCompleted(sent.id)
    expect((await sam.get(inbox)).body.data).toEqual([])
    const { recipients, audit } = (await ana.get(`${base}/${sent.id}/certificate`)).body
    expect(recipients[0].authentication).toBe('account')
    const details = audit.map(({ type, detail }: { type: string; detail: object }) => ({ type, ...detail }))
    expect(details).toContainEqual(expect.objectContaining({ type: 'opened', via: 'account', userId: sam.id }))
    expect(details).toContainEqual(expect.objectContaining({ type: 'signed', authentication: 'account' }))
  })

  it('still types the code where the owner asks for one, and sees no title before it', async () => {
    const sam = await app.user({ isProven: true })
    const settings = { emailOtp: true }
    const recipient = { email: sam.email, role: 'APPROVER' } as const
    const sent = await sendDraft(ana, { title: 'Secret', recipients: [recipient], settings })
    const list = await sam.get(inbox)
    expect(list.body.data).toMatchObject([{ title: null, sender: 'Ana Owner' }])
    const { path } = (await open(sam, sent.recipients[0]?.id)).body
    const visitor = visitorWith(app, path.split('/').at(-1), sam.email)
    expect((await visitor.read()).body).toMatchObject({ otpRequired: true })
    const session = { 'x-signing-session': (await enterCode(visitor, 2)).body.sessionToken }
    await visitor.post(`${visitor.path}/consent`, { accepted: true }, session)
    expect((await visitor.post(`${visitor.path}/complete`, undefined, session)).status).toBe(200)
    const { recipients } = (await ana.get(`${base}/${sent.id}/certificate`)).body
    expect(recipients[0].authentication).toBe('account_and_code')
  })

  it('is let in neither unverified, nor with a key, nor for another address, nor before their turn', async () => {
    const [sam, kim, unverified] = [
      await app.user({ isProven: true }),
      await app.user({ isProven: true }),
      await app.user(),
    ]
    const emails = [sam.email, kim.email, unverified.email]
    const recipients = emails.map((email, index) => ({ email, order: index === 1 ? 2 : 1 }))
    const sent = await sendDraft(ana, { recipients, settings: { signingOrder: 'SEQUENTIAL' } })
    const idOf = (email: string) => sent.recipients.find((one) => one.email === email)?.id
    expect((await unverified.get(inbox)).body).toEqual({ data: [], emailVerified: false })
    expect((await open(unverified, idOf(unverified.email))).body.code).toBe('email_not_verified')
    expect((await kim.get(inbox)).body.data).toEqual([])
    expect((await open(kim, idOf(kim.email))).body.code).toBe('recipient_not_found')
    expect((await open(kim, idOf(sam.email))).body.code).toBe('recipient_not_found')
    const { key } = (await sam.post('/api/v1/api-keys', { name: 'agent' })).body
    const byKey = await app.newcomer().post(`${inbox}/${idOf(sam.email)}/open`, undefined, bearer(key))
    expect(byKey).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  it('loses the opened page when the owner sends a new link, after half a day, and with the account', async () => {
    const sam = await app.user({ isProven: true })
    const sent = await sendDraft(ana, { recipients: [{ email: sam.email }] })
    const recipientId = sent.recipients[0]?.id
    const openedPage = async () => visitorWith(app, (await open(sam, recipientId)).body.path.split('/').at(-1))
    const first = await openedPage()
    await ana.post(`${base}/${sent.id}/recipients/${recipientId}/resend`)
    expect((await first.read()).body.code).toBe('link_not_found')
    const second = await openedPage()
    expect((await second.read()).status).toBe(200)
    const soon = new Date(app.clock.now().getTime() - 1)
    await app.db.updateTable('signingLinks').set({ expiresAt: soon }).where('userId', '=', sam.id).execute()
    expect((await second.read()).body.code).toBe('link_not_found')
    expect((await second.post(`${second.path}/open`)).body.code).toBe('link_not_found')
    const third = await openedPage()
    expect((await third.read()).status).toBe(200)
    await app.db.updateTable('users').set({ deactivatedAt: app.clock.now() }).where('id', '=', sam.id).execute()
    expect((await third.read()).body.code).toBe('link_not_found')
    expect((await third.post(`${third.path}/open`)).body.code).toBe('link_not_found')
  })
})

describe('with a code by mail (A16)', () => {
  const sendWithCode = async () => {
    const sent = await sendDraft(ana, { title: 'Secret title', settings: { emailOtp: true } })
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    return { sent, visitor }
  }

  it('not one byte is shown before it: no title, no page count, no file', async () => {
    const { visitor } = await sendWithCode()
    const { body } = await visitor.read()
    expect(Object.keys(body).toSorted()).toEqual(['email', 'language', 'otpRequired'])
    expect(body.email).not.toContain(visitor.email.slice(1, 8))
    const { path } = visitor
    const values = await visitor.put(`${path}/fields`, [])
    for (const reply of [
      await visitor.get(`${path}/file`),
      await visitor.get(`${path}/download`),
      await visitor.post(`${path}/open`),
      await visitor.post(`${path}/consent`, { accepted: true }),
      values,
      await visitor.post(`${path}/complete`),
      await visitor.post(`${path}/decline`, { reason: 'no' }),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'otp_required' } })
      expect(reply.text).not.toContain('Secret')
    }
  })

  it('opens for the browser that typed it, by a cookie bound to the link', async () => {
    const { visitor } = await sendWithCode()
    const reply = await enterCode(visitor, 2)
    const cookie = reply.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Strict/i)
    expect(cookie).toContain(`Path=${visitor.path}`)
    expect((await visitor.read()).body.otpRequired).toBe(true)
    const withCookie = await visitor.get(visitor.path, { cookie: cookie.split(';')[0] ?? '' })
    expect(withCookie.body.document.title).toBe('Secret title')
    app.clock.forward({ minutes: 61 })
    expect((await visitor.get(visitor.path, { cookie: cookie.split(';')[0] ?? '' })).body.otpRequired).toBe(true)
  })

  it('a session opens no other link, and ends with its own', async () => {
    const [one, other] = [await sendWithCode(), await sendWithCode()]
    const { body } = await enterCode(one.visitor, 2)
    const session = { 'x-signing-session': body.sessionToken }
    expect((await other.visitor.get(other.visitor.path, session)).body.otpRequired).toBe(true)
    expect((await one.visitor.get(one.visitor.path, session)).body.otpRequired).toBe(false)
    await ana.post(`${base}/${one.sent.id}/recipients/${one.sent.recipients[0]?.id}/resend`)
    const fresh = await visitorOf(app, one.visitor.email, 3)
    expect((await fresh.get(fresh.path, session)).body.otpRequired).toBe(true)
  })

  it('a code works once, and five wrong ones at once are five tries', async () => {
    const { visitor } = await sendWithCode()
    await visitor.post(`${visitor.path}/otp`)
    const otp = (await app.letterTo(visitor.email, 2)).code()
    const wrong = otp === '000000' ? '111111' : '000000'
    const verify = (code: string) => visitor.post(`${visitor.path}/otp/verify`, { otp: code })
    const guesses = await Promise.all(Array.from({ length: 8 }, () => verify(wrong)))
    expect(guesses.every(({ body }) => body.code === 'invalid_otp')).toBe(true)
    expect((await verify(otp)).body.code).toBe('invalid_otp')
    const counted = await app.db.selectFrom('signingCodes').select('failures').orderBy('sentAt', 'desc').execute()
    expect(counted[0]?.failures).toBe(5)

    expect((await visitor.post(`${visitor.path}/otp`)).status).toBe(429)
    app.clock.forward({ minutes: 1.1 })
    expect((await visitor.post(`${visitor.path}/otp`)).body.resendAfter).toBe(120)
    const second = (await app.letterTo(visitor.email, 3)).code()
    expect((await verify(second)).status).toBe(200)
    expect((await verify(second)).body.code).toBe('invalid_otp')
  })
})

describe('order', () => {
  it('asks the next group when the one before has signed, and refuses who is not due', async () => {
    const sent = await sendDraft(ana, {
      recipients: [{ order: 1 }, { order: 1, role: 'APPROVER' }, { order: 2 }],
      settings: { signingOrder: 'SEQUENTIAL' },
    })
    const emails = sent.recipients.map(({ email }) => email)
    const [first, approver] = [await visitorOf(app, emails[0] ?? ''), await visitorOf(app, emails[1] ?? '')]
    await first.sign()
    expect(app.lettersTo(emails[2] ?? '')).toEqual([])
    expect((await approver.sign()).body.recipientState).toBe('SIGNED')
    const last = await visitorOf(app, emails[2] ?? '')
    const { body } = await last.read()
    expect(body.fields.map(({ isMine }: { isMine: boolean }) => isMine)).toEqual([false, true])
    expect((await last.sign()).body.documentState).toBe('SEALING')
    await isCompleted(sent.id)
  })

  it('a decline closes the document for everybody, with the reason', async () => {
    const sent = await sendDraft(ana, { recipients: [{ name: 'Dee' }, {}] })
    const [dee, other] = (await visitorsOf(app, sent)) as [Visitor, Visitor]
    const reply = await dee.post(`${dee.path}/decline`, { reason: 'Wrong price' })
    expect(reply.body).toEqual({ recipientState: 'DECLINED', documentState: 'DECLINED' })
    expect((await other.sign()).body.code).toBe('document_finished')
    expect((await getDocument(ana, sent.id)).recipients[0]).toMatchObject({ declineReason: 'Wrong price' })
    await expect.poll(() => app.lettersTo(ana.email).some(({ text }) => text.includes('Wrong price'))).toBe(true)
  })

  it('somebody else signs instead where the owner allows it, and the old link ends', async () => {
    const email = `deputy.${app.unknownId()}@example.test`
    const fixed = await sendDraft(ana)
    const [bound] = (await visitorsOf(app, fixed)) as [Visitor]
    const person = { name: 'Deputy', email }
    expect((await bound.post(`${bound.path}/delegate`, person)).body.code).toBe('delegation_not_allowed')
    const sent = await sendDraft(ana, { settings: { allowDelegation: true } })
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    const own = (await visitor.read()).body.fields[0].id
    await visitor.put(`${visitor.path}/fields`, [{ fieldId: own, value: { typed: 'Not the deputy' } }])
    expect((await visitor.post(`${visitor.path}/delegate`, { ...person, name: '👍' })).status).toBe(422)
    expect((await visitor.post(`${visitor.path}/delegate`, person)).body.recipientState).toBe('REPLACED')
    expect((await visitor.read()).status).toBe(404)
    const deputy = await visitorOf(app, email)
    expect((await deputy.read()).body.fields[0]).toMatchObject({ id: own, value: null })
    expect((await deputy.sign()).body.documentState).toBe('SEALING')
  })
})

describe('when two act at once (A58)', () => {
  const prepared = async (recipients = 1) => {
    const sent = await sendDraft(ana, { recipients: Array.from({ length: recipients }, () => ({})) })
    const visitors = await visitorsOf(app, sent)
    for (const visitor of visitors) {
      await visitor.post(`${visitor.path}/consent`, { accepted: true })
      const { body } = await visitor.read()
      const mine = body.fields.find(({ isMine }: { isMine: boolean }) => isMine)
      await visitor.put(`${visitor.path}/fields`, [{ fieldId: mine.id, value: { typed: 'Sam' } }])
    }
    return { sent, visitors: visitors as [Visitor, ...Visitor[]] }
  }
  const countOf = async (id: string, type: string) => {
    const { body } = await ana.get(`${base}/${id}/audit`)
    expect(body.valid).toBe(true)
    return body.entries.filter((entry: { type: string }) => entry.type === type).length
  }

  it('completing twice signs once and answers both alike', async () => {
    const { sent, visitors } = await prepared()
    const [{ path, post }] = visitors
    const replies = await Promise.all([1, 2, 3].map(() => post(`${path}/complete`)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    await isCompleted(sent.id)
    expect(await countOf(sent.id, 'signed')).toBe(1)
    expect(await countOf(sent.id, 'sealed')).toBe(1)
  })

  it('two last signers seal the document once', async () => {
    const { sent, visitors } = await prepared(2)
    await Promise.all(visitors.map(({ path, post }) => post(`${path}/complete`)))
    await isCompleted(sent.id)
    expect(await countOf(sent.id, 'sealed')).toBe(1)
  })

  it.each(['cancel', 'decline', 'resend'] as const)(
    'complete against %s: one comes first, the other sees it',
    async (rival) => {
      const { sent, visitors } = await prepared()
      const [{ path, post }] = visitors
      const rivals = {
        cancel: () => ana.post(`${base}/${sent.id}/cancel`),
        decline: () => post(`${path}/decline`, { reason: 'no' }),
        resend: () => ana.post(`${base}/${sent.id}/recipients/${sent.recipients[0]?.id}/resend`),
      }
      const [signed, other] = await Promise.all([post(`${path}/complete`), rivals[rival]()])
      expect([signed.status, other.status].filter((status) => status === 200)).toHaveLength(1)
      if (signed.status === 200) return isCompleted(sent.id)
      const { state, recipients } = await getDocument(ana, sent.id)
      expect(state).toBe({ cancel: 'CANCELLED', decline: 'DECLINED', resend: 'SENT' }[rival])
      expect(recipients[0]?.state).not.toBe('SIGNED')
    },
  )
})

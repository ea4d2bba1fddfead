import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { retryNow } from '#test/harness/jobs.ts'
import { useJobNodes } from '#test/kernel/job-nodes.ts'
import { quotasFor } from '#test/kernel/quotas.ts'
import { until } from '#test/kernel/until.ts'
import { type SmtpPeer, startSmtp } from '#test/peers/smtp.ts'
import { systemClock } from '../clock.ts'
import { createSealer } from '../crypto/sealer.ts'
import { systemIds } from '../ids.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics/index.ts'
import { askedBy, byRecipient, createMail, followsFor } from './mail.ts'
import type { SmtpServer } from './smtp.ts'

const nodes = useJobNodes({ emptied: ['mailOutbox', 'quotaDebts'] })
const peers: SmtpPeer[] = []

afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close()
})

const mailServer = async (options?: Parameters<typeof startSmtp>[0]): Promise<SmtpPeer> => {
  const peer = await startSmtp(options)
  peers.push(peer)
  return peer
}

/** Sends through this server, or keeps its mail without one; nothing is delivered before its jobs start. */
const createOffice = async (peer?: SmtpPeer, server: Partial<SmtpServer> = {}, clock = systemClock) => {
  const warnings: string[] = []
  const jobs = nodes.make([])
  const log = createLog('warn', { write: (line) => warnings.push(line) })
  const mail = createMail({
    quotas: await quotasFor(nodes, { clock, log }),
    db: nodes.db,
    sealer: createSealer({ current: 'a secret for tests', previous: [] }),
    clock,
    ids: systemIds,
    jobs,
    log,
    metrics: createMetrics(log),
    smtp: peer && { host: '127.0.0.1', port: peer.port, secure: false, ...server },
    from: 'The Office <office@chancery.example>',
    // Longer than any test, so that a mail is tried again only where the test says so.
    retryDelaySec: 600,
  })
  for (const job of mail.jobs) jobs.register(job)
  return { mail, jobs, warnings }
}

const office = async (...options: Parameters<typeof createOffice>) => {
  const created = await createOffice(...options)
  await created.jobs.start()
  return created
}

const letter = {
  to: 'ana@example.org',
  by: byRecipient,
  subject: 'Your code',
  text: 'The code is 123456.',
  html: '<p>123456</p>',
}

describe('sending with a mail server', () => {
  it('keeps mail to the people of the demo, and delivers to every other domain', async () => {
    const { mail } = await office(await mailServer())
    const id = await mail.send(nodes.db, { ...letter, to: 'maya@marlow.demo.Example' })

    expect(await mail.getOutboxMail(nodes.db, id)).toMatchObject({ status: 'kept', text: letter.text })
    expect(await mail.isUndelivered(nodes.db, id)).toBe(true)
    const other = await mail.send(nodes.db, { ...letter, to: 'ana@marlow.example' })
    expect(await mail.getOutboxMail(nodes.db, other)).toMatchObject({ status: 'queued' })
  })

  it('delivers what the transaction committed, then forgets the body', async () => {
    const peer = await mailServer()
    const { mail } = await office(peer)
    const id = await nodes.db.transaction().execute((tx) => mail.send(tx, letter))

    await until(async () => (await mail.getOutboxMail(nodes.db, id)).status === 'sent')
    expect(peer.mails).toMatchObject([
      {
        recipients: ['ana@example.org'],
        from: { name: 'The Office', address: 'office@chancery.example' },
        subject: 'Your code',
        text: expect.stringContaining('The code is 123456.'),
        html: expect.stringContaining('<p>123456</p>'),
        messageId: `<${id}@chancery.example>`,
      },
    ])
    expect(await mail.getOutboxMail(nodes.db, id)).toEqual({
      id,
      to: 'ana@example.org',
      subject: 'Your code',
      status: 'sent',
      attempts: 1,
      error: null,
      createdAt: expect.any(Date),
      sentAt: expect.any(Date),
      text: null,
    })
  })

  it('sends nothing for a transaction that rolled back', async () => {
    const peer = await mailServer()
    const { mail } = await office(peer)
    const undone = nodes.db.transaction().execute(async (tx) => {
      await mail.send(tx, { ...letter, subject: 'never' })
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    await mail.send(nodes.db, letter)

    await until(() => peer.mails.length > 0)
    expect(peer.mails.map(({ subject }) => subject)).toEqual(['Your code'])
    expect((await mail.listOutbox(nodes.db, { page: 1, limit: 10 })).total).toBe(1)
  })

  it('keeps the waiting body sealed: neither table nor job shows it', async () => {
    const peer = await mailServer()
    peer.rejectWith('connect', 421)
    const { mail } = await office(peer)
    const id = await mail.send(nodes.db, letter)
    await until(async () => (await mail.getOutboxMail(nodes.db, id)).error !== null)
    const { rows } = await sql<{ row: string }>`
      select mail_outbox::text as row from mail_outbox union all select job::text from pgboss.job`.execute(nodes.db)

    expect(rows.map(({ row }) => row).join()).not.toContain('123456')
    expect((await mail.getOutboxMail(nodes.db, id)).text).toBe('The code is 123456.')
  })

  it('tries again after a temporary refusal', async () => {
    const peer = await mailServer()
    peer.rejectWith('recipient', 451)
    const { mail } = await office(peer)
    const id = await mail.send(nodes.db, letter)
    await until(async () => (await mail.getOutboxMail(nodes.db, id)).error !== null)
    expect(await mail.getOutboxMail(nodes.db, id)).toMatchObject({
      status: 'queued',
      error: expect.stringContaining('451'),
    })

    peer.rejectWith('recipient', undefined)
    await retryNow(nodes.db, 'mail.deliver', { id })
    await until(async () => (await mail.getOutboxMail(nodes.db, id)).status === 'sent')
    expect(peer.mails).toHaveLength(1)
    expect(await mail.getOutboxMail(nodes.db, id)).toMatchObject({ error: null })
  })

  it.each(['recipient', 'content'] as const)(
    'gives up at once when the server permanently refuses the %s',
    async (stage) => {
      const peer = await mailServer()
      peer.rejectWith(stage, 550)
      const { mail } = await office(peer)
      const id = await mail.send(nodes.db, letter)

      await until(async () => (await nodes.states('mail.deliver'))[0] === 'completed')
      expect(await mail.getOutboxMail(nodes.db, id)).toMatchObject({
        status: 'failed',
        attempts: 1,
        error: expect.stringContaining('550'),
        sentAt: null,
      })
      expect(peer.mails).toEqual([])
    },
  )

  it('does not give up a mail because our own login is refused', async () => {
    const peer = await mailServer({ login: { user: 'office', password: 'right' } })
    const { mail } = await office(peer, { user: 'office', password: 'wrong' })
    const id = await mail.send(nodes.db, letter)

    await until(async () => (await mail.getOutboxMail(nodes.db, id)).error !== null)
    expect(await mail.getOutboxMail(nodes.db, id)).toMatchObject({
      status: 'queued',
      error: expect.stringContaining('535'),
    })
  })

  it('signs in where the server asks for it', async () => {
    const peer = await mailServer({ login: { user: 'office', password: 'right' } })
    const { mail } = await office(peer, { user: 'office', password: 'right' })
    await mail.send(nodes.db, letter)

    await until(() => peer.mails.length === 1)
    expect(peer.mails[0]?.login).toBe('office')
  })

  it('gives up after the eighth attempt', async () => {
    const peer = await mailServer()
    peer.rejectWith('connect', 421)
    const { mail } = await office(peer)
    const id = await nodes.db.transaction().execute(async (tx) => {
      const made = await mail.send(tx, letter)
      await tx.updateTable('mailOutbox').set({ attempts: 7 }).execute()
      return made
    })

    await until(async () => (await nodes.states('mail.deliver'))[0] === 'completed')
    expect(await mail.getOutboxMail(nodes.db, id)).toMatchObject({ status: 'failed', attempts: 8 })
  })

  it('does not talk to a server whose certificate it cannot trust', async () => {
    const peer = await mailServer({ starttls: true })
    const { mail } = await office(peer)
    const id = await mail.send(nodes.db, letter)

    await until(async () => (await mail.getOutboxMail(nodes.db, id)).error !== null)
    expect(await mail.getOutboxMail(nodes.db, id)).toMatchObject({
      status: 'queued',
      error: expect.stringMatching(/cert/i),
    })
    expect(peer.mails).toEqual([])
  })
})

describe('two workers and one mail', () => {
  it('delivers it once, though both were told to and the clock of one is ten minutes ahead', async () => {
    const peer = await mailServer()
    const gate = Promise.withResolvers<void>()
    const received = Promise.withResolvers<void>()
    peer.onMessage = () => {
      received.resolve()
      return gate.promise
    }
    const first = await office(peer)
    await office(peer, {}, { now: () => new Date(Date.now() + 600_000) })
    const id = await first.mail.send(nodes.db, letter)
    await received.promise
    const [deliverJob] = first.mail.jobs
    if (deliverJob) await first.jobs.enqueue(nodes.db, deliverJob, { id })
    await until(async () => (await nodes.states('mail.deliver')).includes('retry'))
    gate.resolve()
    await until(async () => (await first.mail.getOutboxMail(nodes.db, id)).status === 'sent')
    await retryNow(nodes.db, 'mail.deliver', { id })

    await until(async () => (await nodes.states('mail.deliver')).every((state) => state === 'completed'))
    expect(peer.mails).toHaveLength(1)
  })

  it('takes over from a worker that died once its claim has lapsed, under the same Message-ID', async () => {
    const peer = await mailServer()
    const { mail } = await office(peer)
    const id = await nodes.db.transaction().execute(async (tx) => {
      const made = await mail.send(tx, letter)
      const claimedUntil = new Date(Date.now() + 3_600_000)
      await tx.updateTable('mailOutbox').set({ attempts: 1, claimedUntil }).execute()
      return made
    })
    await until(async () => (await nodes.states('mail.deliver'))[0] === 'retry')
    expect(peer.mails).toEqual([])

    await nodes.db
      .updateTable('mailOutbox')
      .set({ claimedUntil: new Date(Date.now() - 1) })
      .execute()
    await retryNow(nodes.db, 'mail.deliver', { id })
    await until(() => peer.mails.length === 1)
    expect(peer.mails[0]?.messageId).toBe(`<${id}@chancery.example>`)
  })
})

describe('sending without a mail server', () => {
  it('keeps the mail readable and says so once in the log', async () => {
    const { mail, warnings } = await office()
    const id = await mail.send(nodes.db, letter)

    expect(mail.hasServer).toBe(false)
    expect(await mail.getOutboxMail(nodes.db, id)).toMatchObject({ status: 'kept', attempts: 0, text: letter.text })
    expect(warnings.filter((line) => line.includes('SMTP_HOST'))).toHaveLength(1)
    expect(await nodes.states('mail.deliver')).toEqual([])
  })

  it('keeps what was queued for a server that is no longer configured', async () => {
    const peer = await mailServer()
    peer.rejectWith('connect', 421)
    const former = await office(peer)
    const id = await former.mail.send(nodes.db, letter)
    await until(async () => (await former.mail.getOutboxMail(nodes.db, id)).error !== null)
    await former.jobs.stop({ drainMs: 1000 })
    const { mail } = await office()
    await retryNow(nodes.db, 'mail.deliver', { id })

    await until(async () => (await mail.getOutboxMail(nodes.db, id)).status === 'kept')
    expect((await mail.getOutboxMail(nodes.db, id)).text).toBe(letter.text)
  })
})

describe('what a mail may say in its head', () => {
  it.each([
    ['a line break in the address', { to: 'ana@example.org\r\nBcc: spy@example.org' }],
    ['two addresses', { to: 'ana@example.org, spy@example.org' }],
    ['a name beside the address', { to: 'Ana <ana@example.org>' }],
    ['no address', { to: '' }],
    ['a line break in the subject', { subject: 'Hello\r\nBcc: spy@example.org' }],
    ['a bare line feed in the subject', { subject: 'Hello\nBcc: spy@example.org' }],
    ['a NUL in the subject', { subject: 'Hello\0' }],
    ['an endless subject', { subject: 'x'.repeat(301) }],
  ])('refuses %s and writes nothing', async (_case, change) => {
    const { mail } = await createOffice()

    await expect(mail.send(nodes.db, { ...letter, ...change })).rejects.toMatchObject({ code: 'invalid_request' })
    expect((await mail.listOutbox(nodes.db, { page: 1, limit: 10 })).total).toBe(0)
  })

  it('carries other alphabets unharmed', async () => {
    const peer = await mailServer()
    const { mail } = await office(peer)
    await mail.send(nodes.db, { ...letter, subject: 'Ваш код – 你好 👋', text: 'Grüße, 東京.\n.\nEnde' })

    await until(() => peer.mails.length === 1)
    expect(peer.mails[0]).toMatchObject({
      subject: 'Ваш код – 你好 👋',
      text: expect.stringContaining('Grüße, 東京.\n.\nEnde'),
    })
  })
})

describe('reading the outbox', () => {
  it('lists the newest first, by page, and finds text in address and subject as it is written', async () => {
    const { mail } = await createOffice()
    for (const subject of ['one', 'two', '100% sure', 'under_score']) await mail.send(nodes.db, { ...letter, subject })
    await mail.send(nodes.db, { ...letter, to: 'ben@example.org', subject: 'five' })
    const subjects = async (filter: { page?: number; limit?: number; search?: string }) => {
      const { items, total } = await mail.listOutbox(nodes.db, { page: 1, limit: 10, ...filter })
      return [total, ...items.map(({ subject }) => subject)]
    }

    expect(await subjects({ limit: 2 })).toEqual([5, 'five', 'under_score'])
    expect(await subjects({ limit: 2, page: 3 })).toEqual([5, 'one'])
    expect(await subjects({ search: 'BEN@' })).toEqual([1, 'five'])
    expect(await subjects({ search: '%' })).toEqual([1, '100% sure'])
    expect(await subjects({ search: '_' })).toEqual([1, 'under_score'])
  })

  it('misses what is not there', async () => {
    const { mail } = await createOffice()

    for (const id of [systemIds.next(), 'not-an-id'])
      await expect(mail.getOutboxMail(nodes.db, id)).rejects.toMatchObject({ code: 'mail_not_found' })
  })
})

describe('the nightly clean-up', () => {
  it('deletes mails of more than a month and fails those that waited a day', async () => {
    const { mail, jobs } = await office()
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    for (const [days, status] of [
      [31, 'sent'],
      [29, 'kept'],
      [2, 'queued'],
      [0, 'queued'],
    ] as const) {
      const id = await mail.send(nodes.db, { ...letter, subject: `${days} days` })
      await nodes.db
        .updateTable('mailOutbox')
        .set({ createdAt: daysAgo(days), status })
        .where('id', '=', id)
        .execute()
    }
    const cleanUp = mail.jobs.find(({ name }) => name === 'mail.clean-up')
    if (cleanUp) await jobs.enqueue(nodes.db, cleanUp, {})

    await until(async () => (await nodes.states('mail.clean-up')).includes('completed'))
    const { items } = await mail.listOutbox(nodes.db, { page: 1, limit: 10 })
    expect(items.map(({ subject, status }) => [subject, status])).toEqual([
      ['0 days', 'queued'],
      ['2 days', 'failed'],
      ['29 days', 'kept'],
    ])
  })
})

describe('a tenant that sends too much', () => {
  const subject = { scopeId: 'a tenant', account: { id: 'eve', isProven: false } }
  const numbers = Array.from({ length: 12 }, (_, at) => at)

  it('is refused what it asks for, by mailbox whatever the tag, and nothing of it is sent', async () => {
    const { mail } = await createOffice(await mailServer())
    const ask = (at: number) => mail.send(nodes.db, { ...letter, to: `ana+${at}@example.org`, by: askedBy(subject) })
    const results = await Promise.allSettled(numbers.map(ask))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    await expect(ask(0)).rejects.toMatchObject({ code: 'quota_exceeded', retryAfterSec: expect.any(Number) })
    const { total } = await mail.listOutbox(nodes.db, { page: 1, limit: 1 })
    expect(total).toBe(10)
    await expect(mail.send(nodes.db, { ...letter, by: askedBy({ scopeId: 'another tenant' }) })).resolves.toBeDefined()
    await expect(mail.send(nodes.db, { ...letter, by: byRecipient })).resolves.toBeDefined()
  })

  it('waits with what follows from its work, in the queue, while others and the account itself get theirs', async () => {
    const peer = await mailServer()
    const { mail } = await office(peer)
    for (const at of numbers)
      await mail.send(nodes.db, { ...letter, subject: `Follows ${at}`, by: followsFor(subject) })
    await mail.send(nodes.db, { ...letter, subject: 'Other', by: followsFor({ scopeId: 'another tenant' }) })
    await mail.send(nodes.db, { ...letter, subject: 'Own', by: byRecipient })
    await until(() => peer.mails.length >= 12)
    expect(peer.mails.filter(({ subject: sent }) => sent?.startsWith('Follows'))).toHaveLength(10)
    const { items } = await mail.listOutbox(nodes.db, { page: 1, limit: 20 })
    await until(async () => (await nodes.states('mail.deliver')).filter((state) => state === 'created').length === 2)
    expect(items.filter(({ status }) => status === 'failed')).toEqual([])
  })

  it('does not wait for ever: what would go out after half a day is not sent, and the outbox says why', async () => {
    const peer = await mailServer()
    const { mail } = await office(peer)
    const { rows } = await sql<{ us: string }>`
      select (extract(epoch from now() + interval '15 hours') * 1000000)::bigint as us`.execute(nodes.db)
    await sql`insert into quota_debts (key, paid_off_at_us) values ('mails a tenant', ${rows[0]?.us}::bigint)
      on conflict (key) do update set paid_off_at_us = excluded.paid_off_at_us`.execute(nodes.db)
    const id = await mail.send(nodes.db, { ...letter, by: followsFor(subject) })
    await until(async () => (await mail.getOutboxMail(nodes.db, id)).status === 'failed')
    expect((await mail.getOutboxMail(nodes.db, id)).error).toContain('too many emails')
    expect(peer.mails).toEqual([])
  })
})

/** Nodes' counts of their callers' use, and the budgets that hold for it. */
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { isBudgetSpent } from '#kernel/meter.ts'
import { testApp } from '#test/harness/app.ts'
import { startMeterNode } from '#test/harness/meter.ts'
import { type Person, password } from '#test/harness/people.ts'

const app = await testApp()
const [node, other] = [await startMeterNode(app), await startMeterNode(app)]
const owner = await app.platformOwner()

const limit = async (subject_type: string, subject_id: string | null, caps: object): Promise<string> => {
  const { body, status, text } = await owner.post('/api/v1/usage/limits', { subject_type, subject_id, ...caps })
  if (status !== 201) throw new Error(text)
  return body.id
}
type Caller = Pick<Person, 'token'>
const soon = { timeout: 10_000, interval: 20 }
const allowed = (caller: Caller, at = node) => vi.waitFor(() => at.call(caller), soon)
const refused = (caller: Caller, at = node) =>
  vi.waitFor(async () => {
    const problem = await at.call(caller).catch((error: unknown) => error)
    expect(problem).toMatchObject({ code: 'usage_limit_reached', status: 429 })
    return problem as { message: string; retryAfterSec: number }
  }, soon)
/** Once the node knows the limit. */
const known = (caller: Caller) => vi.waitFor(() => node.reserve(caller, 1), soon)
const keyOf = async (person: Person): Promise<{ id: string; token: string }> => {
  const { id, key } = (await person.post('/api/v1/api-keys', { name: 'a key' })).body
  return { id, token: key }
}

describe('what nodes record', () => {
  const rowsOf = ({ id }: { id: string }) =>
    app.db
      .selectFrom('usageDays')
      .select(['model', 'requests', 'failures', 'promptTokens', 'completionTokens'])
      .where('principalId', '=', id)
      .orderBy('model')
      .execute()

  it('adds up what two nodes record at the same time, and loses nothing', async () => {
    const ana = await app.user()
    const actor = await node.actorOf(ana.token)
    const written = async () => (await rowsOf(ana)).reduce((sum, { requests }) => sum + requests, 0)
    for (let call = 0; call < 500; call += 1)
      for (const each of [node, other]) {
        // Pauses until something is written, so that the sums are made of several writes.
        const before = call % 100 === 0 ? await written() : undefined
        each.meter.record(actor, { model: 'a', promptTokens: 3, completionTokens: 4, failed: false })
        each.meter.record(actor, { model: 'b', promptTokens: 1, completionTokens: 0, failed: true })
        if (before !== undefined) await expect.poll(written, soon).toBeGreaterThan(before)
      }
    await vi.waitFor(async () => {
      expect(await rowsOf(ana)).toEqual([
        { model: 'a', requests: 1000, failures: 0, promptTokens: 3000, completionTokens: 4000 },
        { model: 'b', requests: 1000, failures: 1000, promptTokens: 1000, completionTokens: 0 },
      ])
    }, soon)
  })

  it('keeps what could not be written until it can', async () => {
    const ana = await app.user()
    await sql`alter table usage_days rename to usage_days_away`.execute(app.db)
    const failedBefore = node.failedWrites()
    await node.use(ana, 5)
    await expect.poll(node.failedWrites, soon).toBeGreaterThan(failedBefore)
    await node.use(ana, 6)
    await sql`alter table usage_days_away rename to usage_days`.execute(app.db)
    await vi.waitFor(async () => expect(await rowsOf(ana)).toMatchObject([{ requests: 2, promptTokens: 11 }]), soon)
  })

  it('writes everything when it stops, also what is reported after that', async () => {
    const ana = await app.user()
    const last = await startMeterNode(app)
    const actor = await last.actorOf(ana.token)
    last.meter.record(actor, { model: 'm', promptTokens: 1, completionTokens: 1, failed: false })
    const stopped = last.stop()
    await new Promise(setImmediate)
    last.meter.record(actor, { model: 'm', promptTokens: 1, completionTokens: 1, failed: false })
    await stopped
    expect(await rowsOf(ana)).toMatchObject([{ requests: 2, promptTokens: 2, completionTokens: 2 }])
  })

  it('survives numbers and names that no provider should send', async () => {
    const ana = await app.user()
    const actor = await node.actorOf(ana.token)
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, -5, 1.9, Number.MAX_VALUE]
    for (const promptTokens of odd)
      node.meter.record(actor, { model: 'x\0y\ud800', promptTokens, completionTokens: 0, failed: false })
    node.meter.record(actor, { model: 'l'.repeat(10_000), promptTokens: 1, completionTokens: 0, failed: false })
    await vi.waitFor(async () => {
      expect(await rowsOf(ana)).toMatchObject([
        { model: 'l'.repeat(300), requests: 1 },
        { model: 'xy\ufffd', requests: 5, promptTokens: 1_000_000_000_001 },
      ])
    }, soon)
  })
})

it('lets callers through at once where nothing is limited', async () => {
  const ana = await node.actorOf((await app.user()).token)
  expect(node.meter.reserve(ana, () => ({ least: 1, most: 1 }))).toBeUndefined()
})

describe('budgets', () => {
  it('hold under parallel calls: what running calls may use is reserved, and released with what they used', async () => {
    const ana = await app.user()
    await limit('user', ana.id, { tokens_per_day: 1000 })
    await node.use(ana, 100)
    await known(ana).then(({ release }) => release())
    const calls = await Promise.allSettled(Array.from({ length: 30 }, () => node.reserve(ana, 300)))
    const reserved = calls.flatMap((call) => (call.status === 'fulfilled' ? [call.value] : []))
    expect(reserved).toHaveLength(3)
    for (const call of calls)
      if (call.status === 'rejected') {
        expect(call.reason).toMatchObject({ code: 'usage_limit_reached', status: 429, retryAfterSec: 10 })
        expect(call.reason.message).toMatch(/^Your limit isn't used up, but calls that are running/)
        expect(isBudgetSpent(call.reason)).toBe(false)
      }
    const actor = await node.actorOf(ana.token)
    const use = { model: 'm', promptTokens: 10, completionTokens: 40, failed: false }
    for (const reservation of reserved) node.meter.record(actor, use, reservation)
    const again = await Promise.allSettled(Array.from({ length: 30 }, () => node.reserve(ana, 300)))
    expect(again.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  })

  it('hold across nodes: one sees what the calls of another may use, and then what they used', async () => {
    const env = { DATABASE_URL: app.databaseUrl }
    const [here, there] = [await startMeterNode(app, env), await startMeterNode(app, env)]
    const ana = await app.user()
    await limit('user', ana.id, { tokens_per_day: 1000 })
    const first = await vi.waitFor(() => here.reserve(ana, 600), soon)
    const spent = { code: 'usage_limit_reached', status: 429 }
    await vi.waitFor(() => expect(there.reserve(ana, 600)).rejects.toMatchObject(spent), soon)
    const calls = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? here : there).reserve(ana, 150)),
    )
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)

    const use = { model: 'm', promptTokens: 100, completionTokens: 0, failed: false }
    here.meter.record(await here.actorOf(ana.token), use, first)
    const second = await vi.waitFor(() => there.reserve(ana, 550), soon)
    await expect(here.reserve(ana, 100)).rejects.toMatchObject(spent)

    // A node that is gone renews nothing, and what it held lapses.
    const others = await vi.waitFor(() => here.reserve(ana, 1), soon)
    for (const call of calls) if (call.status === 'fulfilled') call.value.release()
    second.release()
    await expect(there.reserve(ana, 900)).rejects.toMatchObject(spent)
    await app.db
      .updateTable('usageReservations')
      .set({ expiresAt: new Date(0) })
      .execute()
    const last = await vi.waitFor(() => there.reserve(ana, 900), soon)
    for (const { release } of [others, last]) release()
  })

  it('give back what was reserved for a call that a rate refuses', async () => {
    const ana = await app.user()
    await limit('user', ana.id, { tokens_per_day: 1000, requests_per_minute: 1 })
    await known(ana).then(({ release }) => release())
    await expect(node.reserve(ana, 900)).rejects.toMatchObject({ code: 'usage_limit_reached' })
    app.clock.forward({ minutes: 2 })
    const { release } = await node.reserve(ana, 900)
    release()
  })

  it('refuse a person who has used theirs up, say which and until when, and nobody else', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    await limit('user', ana.id, { tokens_per_day: 1000, tokens_per_month: 5000 })
    await node.use(ana, 999)
    await allowed(ana)
    await node.use(ana, 1)
    const problem = await refused(ana)
    expect(isBudgetSpent(problem)).toBe(true)
    const { message, retryAfterSec } = problem
    const tomorrow = new Date(app.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
    expect(message).toBe(`Your limit, 1,000 tokens per day, is used up. It resets on ${tomorrow} at 00:00 UTC.`)
    expect(retryAfterSec).toBeGreaterThan(0)
    expect(retryAfterSec).toBeLessThanOrEqual(86_400)
    await allowed(bob)
  })

  it('count what other nodes recorded, within seconds', async () => {
    const ana = await app.user()
    await limit('user', ana.id, { tokens_per_day: 1000 })
    await allowed(ana)
    await other.use(ana, 600)
    await node.use(ana, 400)
    await Promise.all([refused(ana), refused(ana, other)])
  })

  it('outlive a restart', async () => {
    const ana = await app.user()
    await limit('user', ana.id, { tokens_per_day: 10 })
    const first = await startMeterNode(app)
    await first.use(ana, 10)
    await first.stop()
    const second = await startMeterNode(app)
    await expect(second.call(ana)).rejects.toMatchObject({ code: 'usage_limit_reached' })
  })

  it('of a key hold for that key alone', async () => {
    const ana = await app.user()
    const [limited, free] = await Promise.all([keyOf(ana), keyOf(ana)])
    await limit('key', limited.id, { tokens_per_month: 50 })
    await node.use(free, 1000)
    await allowed(limited)
    await node.use(limited, 50)
    expect((await refused(limited)).message).toMatch(/^The limit of this API key, 50 tokens per month/)
    await Promise.all([allowed(free), allowed(ana)])
  })

  it('of an organization are shared by its people', async () => {
    const org = `Org ${app.unknownId()}`
    const [boss, stranger] = [await app.user({ org }), await app.user()]
    const member = await app.user({ org })
    await limit('organization', boss.organizationId, { tokens_per_day: 100 })
    await node.use(boss, 60)
    await allowed(member)
    await node.use(member, 40)
    await Promise.all([refused(boss), refused(member), allowed(stranger)])
  })

  it('of a group hold for each of its members on their own, for as long as they are in it', async () => {
    const org = `Org ${app.unknownId()}`
    const boss = await app.user({ org })
    const [ana, bob] = [await app.user({ org }), await app.user({ org })]
    const group = (await boss.post('/api/org/groups', { name: 'Guests', memberIds: [ana.id, bob.id] })).body
    await limit('group', group.id, { tokens_per_day: 100 })
    await node.use(ana, 100)
    await node.use(boss, 100)
    await refused(ana)
    await Promise.all([allowed(bob), allowed(boss)])
    await boss.patch(`/api/org/groups/${group.id}`, { memberIds: [bob.id] })
    await allowed(ana)
  })

  it('follow a changed and a lifted limit, on every node', async () => {
    const ana = await app.user()
    const id = await limit('user', ana.id, { tokens_per_day: 10 })
    await node.use(ana, 10)
    await refused(ana)
    await owner.patch(`/api/v1/usage/limits/${id}`, { tokens_per_day: 20 })
    await allowed(ana)
    await node.use(ana, 10)
    await refused(ana)
    await owner.delete(`/api/v1/usage/limits/${id}`)
    await Promise.all([allowed(ana), allowed(ana, other)])
  })

  it('are held over a single connection: others may need all the rest', async () => {
    const small = await startMeterNode(app, { DATABASE_URL: app.databaseUrl, DATABASE_POOL_SIZE: '2' })
    const ana = await app.user()
    await limit('user', ana.id, { tokens_per_day: 100 })
    await vi.waitFor(() => small.reserve(ana, 1), soon)
    await small.db.connection().execute(() => small.reserve(ana, 1))
  })

  it('count against several limits at once: each holds', async () => {
    const ana = await app.user()
    const key = await keyOf(ana)
    await limit('user', ana.id, { tokens_per_day: 100 })
    await limit('key', key.id, { tokens_per_day: 1000 })
    await node.use(key, 100)
    expect((await refused(key)).message).toMatch(/^Your limit/)
  })

  it('start again with each day and each month', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    await limit('user', ana.id, { tokens_per_day: 10 })
    await limit('user', bob.id, { tokens_per_month: 10 })
    await Promise.all([node.use(ana, 10), node.use(bob, 10)])
    await Promise.all([refused(ana), refused(bob)])
    const now = app.clock.now()
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 0, 0, 1))
    const isLastDay = nextMonth.getTime() - now.getTime() < 2 * 86_400_000
    if (!isLastDay) {
      app.clock.forward({ days: 1 })
      await Promise.all([allowed(ana), refused(bob)])
    }
    app.clock.forward({ ms: nextMonth.getTime() - app.clock.now().getTime() })
    const again = async ({ email }: Person): Promise<Caller> =>
      (await app.newcomer().post('/api/auth/login', { email, password })).body
    await Promise.all([allowed(await again(ana)), allowed(await again(bob))])
  })

  it('for everyone hold for each person on their own', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    const id = await limit('everyone', null, { tokens_per_day: 100 })
    await node.use(ana, 100)
    expect((await refused(ana)).message).toMatch(/^The limit for each person/)
    await allowed(bob)
    await owner.delete(`/api/v1/usage/limits/${id}`)
    await allowed(ana)
  })
})

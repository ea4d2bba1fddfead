import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useJobNodes } from '#test/kernel/job-nodes.ts'
import { quotasFor } from '#test/kernel/quotas.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import type { AmountQuota, AtOnceQuota, Quotas, RateQuota } from './index.ts'

const nodes = useJobNodes({ emptied: ['quotaDebts'] })
let nowMs = Date.UTC(2026, 0, 1)
const clock = { now: () => new Date(nowMs) }
const log = createLog('silent')

const node = async (...declared: (RateQuota | AmountQuota | AtOnceQuota)[]): Promise<Quotas> => {
  const quotas = await quotasFor(nodes, { clock, log })
  for (const quota of declared) quotas.declare(quota)
  return quotas
}
const rate = (most: number, more: Partial<RateQuota> = {}): RateQuota => ({
  kind: 'rate',
  name: 'letters',
  what: 'letters',
  most,
  per: 'scope',
  windowSec: 60,
  ...more,
})
const scopeId = '00000000-0000-4000-8000-00000000000a'
const another = { scopeId: '00000000-0000-4000-8000-00000000000b' }
const subject = { scopeId }

/** How many were granted, and the last refusal. */
const tryMany = async (times: number, work: (at: number) => Promise<unknown>) => {
  const results = await Promise.allSettled(Array.from({ length: times }, (_, at) => work(at)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as AppError] : []))
  for (const problem of refused) expect(problem).toBeInstanceOf(AppError)
  return { granted: times - refused.length, refusal: refused.at(-1) }
}

describe('a rate', () => {
  it('holds over two nodes that are hammered at once, and for each tenant by itself', async () => {
    const quota = rate(20)
    const pair = [await node(quota), await node(quota)]
    const { granted, refusal } = await tryMany(100, async (at) => pair[at % 2]?.take(quota, subject))

    expect(granted).toBe(20)
    expect(refusal).toMatchObject({ code: 'quota_exceeded', status: 429, retryAfterSec: 3 })
    expect(refusal?.message).toBe('At most 20 letters in a minute (letters).')
    await expect(pair[0]?.take(quota, another)).resolves.toBeUndefined()
    const refused = pair.flatMap((quotas) => quotas.refused())
    expect(refused).toMatchObject(Array(2).fill({ quota: 'letters', id: scopeId }))
    expect(refused.reduce((sum, { times }) => sum + times, 0)).toBe(80)
    nowMs += 301_000
    expect(pair[0]?.refused()).toEqual([])
  })

  it('asks the database once for a hundredth of a large allowance, and not at all while it refuses', async () => {
    const quota = rate(1000)
    const quotas = await node(quota)
    const count = async () => {
      const { rows } = await sql<{ granted: string; debt: string }>`
        select granted, (paid_off_at_us - ${nowMs * 1000}::bigint)::text as debt from quota_debts`.execute(nodes.db)
      return Number(rows[0]?.debt ?? 0) / 60_000
    }
    for (let taken = 1; taken <= 10; taken += 1) await quotas.take(quota, subject)
    expect(await count()).toBe(10)
    await quotas.take(quota, subject)
    expect(await count()).toBe(20)
    await tryMany(989, () => quotas.take(quota, subject))
    // A refusal is kept: what would be granted after a direct change isn't asked for before its time.
    await expect(quotas.take(quota, subject)).rejects.toMatchObject({ code: 'quota_exceeded' })
    await sql`delete from quota_debts`.execute(nodes.db)
    await expect(quotas.take(quota, subject)).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect(await count()).toBe(0)
    nowMs += 1000
    await expect(quotas.take(quota, subject)).resolves.toBeUndefined()
  })

  it('keeps its word about the time to wait', async () => {
    const quota = rate(3)
    const quotas = await node(quota)
    await quotas.take(quota, subject, 3)
    const { refusal } = await tryMany(1, () => quotas.take(quota, subject))
    nowMs += (refusal?.retryAfterSec ?? 0) * 1000
    await expect(quotas.take(quota, subject)).resolves.toBeUndefined()
    await expect(quotas.take(quota, subject)).rejects.toMatchObject({ retryAfterSec: 20 })
  })

  it('grants an account with an unproven address less, and takes nothing from its colleagues', async () => {
    const quota = rate(10, { unprovenMost: 2 })
    const quotas = await node(quota)
    const eve = { scopeId, account: { id: 'eve', isProven: false } }
    const { granted, refusal } = await tryMany(5, () => quotas.take(quota, eve))
    expect(granted).toBe(2)
    expect(refusal?.message).toContain('Confirm your email address')
    expect(
      (await tryMany(20, () => quotas.take(quota, { scopeId, account: { id: 'ana', isProven: true } }))).granted,
    ).toBe(8)
  })

  it('counted in a transaction is undone with it, and all or nothing', async () => {
    const quota = rate(5)
    const quotas = await node(quota)
    const charge = (times: number, fails = false) =>
      nodes.db.transaction().execute(async (tx) => {
        await quotas.charge(tx, [{ quota, subject, times }])
        if (fails) throw new AppError('invalid_request')
      })
    await expect(charge(5, true)).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(charge(6)).rejects.toMatchObject({ code: 'quota_exceeded' })
    await charge(3)
    await expect(charge(3)).rejects.toMatchObject({ code: 'quota_exceeded' })
    await charge(2)
  })

  it('makes wait what it can not refuse, as long as the rate needs, and drops what would wait too long', async () => {
    const quota = rate(2)
    const quotas = await node(quota)
    const schedule = () => quotas.schedule(nodes.db, [{ quota, subject }], 60_000)
    const waits = []
    for (let at = 0; at < 6; at += 1) waits.push(await schedule())
    expect(waits).toEqual([0, 0, 30_000, 60_000, undefined, undefined])
  })
})

describe('an amount', () => {
  it('is not passed by two nodes that insert at once', async () => {
    await sql`create table if not exists things (scope_id text)`.execute(nodes.db)
    const quota: AmountQuota = {
      kind: 'amount',
      name: 'things',
      what: 'things',
      most: 3,
      per: 'scope',
      count: async (db, scope) => {
        const { rows } = await sql<{ count: string }>`select count(*) from things where scope_id = ${scope}`.execute(db)
        return Number(rows[0]?.count)
      },
    }
    const pair = [await node(quota), await node(quota)]
    const insert = (at: number) =>
      nodes.db.transaction().execute(async (tx) => {
        await pair[at % 2]?.requireRoom(tx, quota, subject)
        await sql`insert into things values (${scopeId})`.execute(tx)
      })
    const { granted, refusal } = await tryMany(10, insert)
    expect(granted).toBe(3)
    expect(refusal).toMatchObject({ code: 'quota_reached', status: 409 })
    expect(refusal?.message).toContain('At most 3 things (things)')
  })
})

describe('at once', () => {
  it('refuses one too many, and lets in the next when one has left', async () => {
    const quota: AtOnceQuota = { kind: 'at_once', name: 'doors', what: 'doors', most: 2, per: 'account' }
    const quotas = await node(quota)
    const ana = { scopeId, account: { id: 'ana', isProven: true } }
    const [leave] = [quotas.enter(quota, ana), quotas.enter(quota, ana)]
    expect(() => quotas.enter(quota, ana)).toThrow('At most 2 doors')
    expect(() => quotas.enter(quota, { scopeId, account: { id: 'ben', isProven: true } })).not.toThrow()
    leave?.()
    leave?.()
    quotas.enter(quota, ana)
    expect(() => quotas.enter(quota, ana)).toThrow()
  })
})

describe('an override', () => {
  const record = async () => undefined

  it('of a scope comes before its plan, that before the default, and 0 is no limit', async () => {
    const quota = rate(1)
    const quotas = await node(quota)
    quotas.registerPlans(async (_db, scope) => (scope === scopeId ? 'TRIAL' : 'BUSINESS'))
    const granted = async () => (await tryMany(10, () => quotas.take(quota, subject))).granted
    expect(await granted()).toBe(1)
    await quotas.save({ plan: 'TRIAL' }, { letters: 4 }, record)
    nowMs += 60_000
    expect(await granted()).toBe(4)
    await quotas.save({ scopeId }, { letters: 6 }, record)
    nowMs += 60_000
    expect(await granted()).toBe(6)
    expect(await quotas.list(nodes.db, scopeId)).toEqual([
      { name: 'letters', what: 'letters', kind: 'rate', windowSec: 60, most: 6, source: 'scope', usual: 4, used: 6 },
    ])
    await quotas.save({ scopeId }, { letters: 0 }, record)
    expect(await granted()).toBe(10)
    await quotas.save({ scopeId }, { letters: null }, record)
    await quotas.save({ plan: 'TRIAL' }, { letters: null }, record)
    expect(await quotas.list(nodes.db, scopeId)).toMatchObject([{ most: 1, source: 'default' }])
  })

  it('of a quota that is not there is refused', async () => {
    const quotas = await node(rate(1))
    await expect(quotas.save({ scopeId }, { nothing: 1 }, record)).rejects.toMatchObject({ code: 'validation_failed' })
  })
})

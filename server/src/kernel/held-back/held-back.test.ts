import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createAudit } from '#kernel/audit/audit.ts'
import { createDb } from '#kernel/db/database.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { createHeldBack, endedTheServer } from './held-back.ts'

const database = await cloneDatabase()
const db = createDb(database.openPool(4))
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(async () => {
  await db.deleteFrom('heldBack').execute()
  await db.deleteFrom('auditLog').execute()
})

const clock = { now: () => new Date('2026-11-19T05:00:00Z') }
const metrics = createMetrics(createLog('silent'))
const heldBack = createHeldBack({ db, clock, audit: createAudit({ clock, ids: systemIds }), metrics })
const done: string[] = []
const ledger = async (_tx: unknown, id: string) => void done.push(id)
heldBack.register('letter', { release: ledger, remove: ledger })
heldBack.register('stone', { release: () => Promise.reject(new Error('too heavy')) })

const by = { kind: 'admin', id: systemIds.next(), name: 'Ada', organizationId: null } as never
const from = { ip: '127.0.0.1', userAgent: null, requestId: 'r1' }
const hold = (kind: string, id: string, claims = 3) =>
  heldBack.record(db, { kind, id, scopeId: null, reason: endedTheServer, claims, what: `The ${kind} ${id}` })
const listed = async (kind?: string) => (await heldBack.list(db, { page: 1, limit: 10, kind })).items

describe('held back work', () => {
  it('is recorded once: a second record changes nothing', async () => {
    await hold('letter', 'a')
    await hold('letter', 'a', 9)
    expect(await listed()).toMatchObject([
      { kind: 'letter', id: 'a', claims: 3, what: 'The letter a', canDelete: true },
    ])
  })

  it('is released once when two try at the same time, with an audit entry', async () => {
    await hold('letter', 'b')
    const both = await Promise.allSettled([1, 2].map(() => heldBack.release(db, { kind: 'letter', id: 'b', by, from })))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(done.filter((id) => id === 'b')).toHaveLength(1)
    const entries = await db.selectFrom('auditLog').select(['action', 'targetId', 'detail']).execute()
    expect(entries).toMatchObject([{ action: 'held_back.release', targetId: 'letter/b', detail: { claims: 3 } }])
    expect(await listed()).toEqual([])
  })

  it('stays, without an audit entry, when its owner cannot release it', async () => {
    await hold('stone', 'c')
    await expect(heldBack.release(db, { kind: 'stone', id: 'c', by, from })).rejects.toThrow('too heavy')
    expect(await listed('stone')).toMatchObject([{ id: 'c', canDelete: false }])
    expect(await db.selectFrom('auditLog').select('id').execute()).toEqual([])
  })

  it('is deleted only where the kind permits it', async () => {
    await hold('stone', 'd')
    await hold('letter', 'd')
    await expect(heldBack.remove(db, { kind: 'stone', id: 'd', by, from })).rejects.toMatchObject({
      code: 'held_back_not_deletable',
    })
    await heldBack.remove(db, { kind: 'letter', id: 'd', by, from })
    expect((await listed()).map(({ kind }) => kind)).toEqual(['stone'])
  })

  it('of a kind that nobody owns any more is listed, and cannot be decided on', async () => {
    await hold('relic', 'e')
    expect(await listed('relic')).toMatchObject([{ canRelease: false, canDelete: false }])
    await expect(heldBack.release(db, { kind: 'relic', id: 'e', by, from })).rejects.toMatchObject({
      code: 'held_back_not_found',
    })
    expect(await listed('relic')).toHaveLength(1)
  })

  it('is counted in the metrics, zero included', async () => {
    await hold('letter', 'f')
    const { text } = await metrics.write()
    expect(text).toContain('chancery_held_back{kind="letter"} 1')
    expect(text).toContain('chancery_held_back{kind="stone"} 0')
  })
})

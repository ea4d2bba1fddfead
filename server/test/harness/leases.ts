/** Leases are on the database's clock, which tests can't move: these act as if the holder had been silent long enough. */
import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Db } from '#kernel/db/database.ts'

const past = new Date(0)

/** They claim what is due now, instead of at their next check. */
const wakeNodes = async (db: Db): Promise<void> => {
  await sql`select pg_notify('chancery_signals', 'runs nobody * due')`.execute(db)
}

/** Again after a deadlock: nodes that are at work lock the same runs in another order, and may keep them for a while. */
export const expireRunLeases = async (db: Db): Promise<void> => {
  const expire = () => db.updateTable('runs').set({ leaseUntil: past }).where('status', '=', 'running').execute()
  await vi.waitFor(expire, { timeout: 20_000 })
  await wakeNodes(db)
}

export const expireSealLease = async (db: Db, id: string): Promise<void> => {
  await db.updateTable('signingDocuments').set({ sealLeaseUntil: past }).where('id', '=', id).execute()
}

export const expireDeliveryLeases = async (db: Db): Promise<void> => {
  await db.updateTable('webhookDeliveries').set({ leaseUntil: past }).execute()
}

/** SQL for how much the files of a scope take: of an organization, or of a person without one. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { readTotal } from '#kernel/db/running-totals.ts'

export const countBytesUnscoped = (db: Db, scopeId: string): Promise<number> =>
  readTotal(db, { kind: 'file_bytes', ownerId: scopeId })

export const lockStorageUnscoped = (db: Db, scopeId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`files ${scopeId}`}, 0))`.execute(db)

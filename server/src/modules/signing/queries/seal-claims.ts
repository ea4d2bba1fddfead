/** All SQL about who seals a document. It is unscoped: nodes ask it. */
import type { ExpressionBuilder } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { databaseNow, hasEnded, leaseEnd, thisProcess } from '#kernel/db/leases.ts'
import type { Tables } from '#kernel/db/tables.ts'
import type { DocumentRow } from './documents.ts'

type Row = ExpressionBuilder<Tables, 'signingDocuments'>

const hasNoLease = (row: Row) => row.or([row('sealLeaseUntil', 'is', null), row('sealLeaseUntil', '<=', databaseNow)])

/** One sealer at a time: misses while another holds the lease and lives, or when there is nothing to seal. */
export const claimSealUnscoped = (
  db: Db,
  id: string,
  { now, leaseMs }: { now: Date; leaseMs: number },
): Promise<DocumentRow | undefined> =>
  db
    .updateTable('signingDocuments')
    .set((row) => ({
      state: 'SEALING',
      sealLeaseUntil: leaseEnd(leaseMs),
      sealHolder: thisProcess,
      sealEpoch: row('sealEpoch', '+', 1),
      updatedAt: now,
    }))
    .where('id', '=', id)
    .where('state', 'in', ['SEALING', 'SEAL_FAILED'])
    .where((row) => row.or([hasNoLease(row), hasEnded(row.ref('sealHolder'))]))
    .returningAll()
    .executeTakeFirst()

type Unsealed = Pick<DocumentRow, 'id' | 'scopeId'>

const unsealed = (db: Db) =>
  db.selectFrom('signingDocuments').select(['id', 'scopeId']).where('state', '=', 'SEALING').limit(100)

/** Documents whose job was lost. */
export const listUnsealedUnscoped = (db: Db): Promise<Unsealed[]> => unsealed(db).where(hasNoLease).execute()

/**
 * Documents whose sealer has ended, at its first attempt: more deaths are the job's to count before it tries again, or a
 * document that ends its server would do so at every start.
 */
export const listAbandonedUnscoped = (db: Db): Promise<Unsealed[]> =>
  unsealed(db)
    .where('sealEpoch', '=', 1)
    .where('sealLeaseUntil', '>', databaseNow)
    .where((row) => hasEnded(row.ref('sealHolder')))
    .execute()

/** All SQL for `signing_bulk_jobs` and `signing_bulk_rows`. */
import { can } from '@chancery/contract/abilities.ts'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SigningBulkJobsTable, SigningBulkRowsTable } from '../tables.ts'

export type BulkJobRow = SigningBulkJobsTable
export type BulkRowRow = SigningBulkRowsTable

export const insertBulkUnscoped = async (db: Db, job: BulkJobRow, rows: readonly BulkRowRow[]): Promise<void> => {
  await db.insertInto('signingBulkJobs').values(job).execute()
  await db
    .insertInto('signingBulkRows')
    .values(rows.map((row) => ({ ...row, problems: [...row.problems], request: json(row.request) })))
    .execute()
}

const json = (value: unknown) => (value === null ? null : sql<never>`${JSON.stringify(value)}::jsonb`)

/** A job is for the one who started it, and the organization's admins. */
export const findBulk = (db: Db, actor: Actor, id: string): Promise<BulkJobRow | undefined> => {
  const inScope = db
    .selectFrom('signingBulkJobs')
    .selectAll()
    .where('id', '=', id)
    .where('scopeId', '=', scopeOf(actor))
  const own = can(actor, 'see-all-documents') ? inScope : inScope.where('ownerId', '=', actor.id)
  return own.executeTakeFirst()
}

export const findBulkUnscoped = (db: Db, id: string): Promise<BulkJobRow | undefined> =>
  db.selectFrom('signingBulkJobs').selectAll().where('id', '=', id).executeTakeFirst()

export const listBulkRowsUnscoped = (db: Db, jobId: string): Promise<BulkRowRow[]> =>
  db.selectFrom('signingBulkRows').selectAll().where('jobId', '=', jobId).orderBy('rowNumber').execute()

/** Held until the row is settled, so that two workers never make one document twice. */
export const lockReadyRowUnscoped = (db: Db, jobId: string, rowNumber: number): Promise<BulkRowRow | undefined> =>
  db
    .selectFrom('signingBulkRows')
    .selectAll()
    .where('jobId', '=', jobId)
    .where('rowNumber', '=', rowNumber)
    .where('state', '=', 'READY')
    .forUpdate()
    .executeTakeFirst()

export const settleRowUnscoped = async (
  db: Db,
  { jobId, rowNumber, ...change }: Pick<BulkRowRow, 'jobId' | 'rowNumber' | 'state' | 'documentId' | 'problems'>,
): Promise<void> => {
  await db
    .updateTable('signingBulkRows')
    .set({ ...change, problems: [...change.problems] })
    .where('jobId', '=', jobId)
    .where('rowNumber', '=', rowNumber)
    .execute()
}

export const finishBulkUnscoped = async (db: Db, id: string, doneAt: Date): Promise<void> => {
  await db.updateTable('signingBulkJobs').set({ doneAt }).where('id', '=', id).execute()
}

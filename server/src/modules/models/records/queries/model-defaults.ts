/** All SQL for `model_defaults`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { nilId } from '#kernel/ids.ts'
import type { ModelDefaultsTable } from '../../tables.ts'

/** The caller's own, those of their organization, and everybody's. */
export const listModelDefaults = (db: Db, actor: Actor): Promise<ModelDefaultsTable[]> =>
  db
    .selectFrom('modelDefaults')
    .selectAll()
    .where('ownerId', 'in', [nilId, actor.id, ...(actor.organizationId === null ? [] : [actor.organizationId])])
    .execute()

/** The caller was checked to own them. */
export const saveModelDefaultsUnscoped = (db: Db, { ownerId, ...row }: ModelDefaultsTable) => {
  const values = { ...row, pinned: sql<string[]>`${JSON.stringify(row.pinned)}::jsonb` }
  return db
    .insertInto('modelDefaults')
    .values({ ownerId, ...values })
    .onConflict((conflict) => conflict.column('ownerId').doUpdateSet(values))
    .execute()
}

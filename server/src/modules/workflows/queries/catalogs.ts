/** All SQL for `catalogs`. Reads are scoped by the actor: a foreign catalog is not found. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, type Page } from '#kernel/db/paging.ts'
import { hasText } from '#kernel/db/text-search.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { CatalogsTable } from '../tables.ts'

export type CatalogRow = Selectable<CatalogsTable>

const inScope = (db: Db, actor: Actor) => db.selectFrom('catalogs').where('scopeId', '=', scopeOf(actor))

export const listCatalogs = (db: Db, actor: Actor, { search, ...page }: Page & { search?: string | undefined }) => {
  return fetchPage(db, inScope(db, actor), page, {
    select: (query) => query.selectAll().orderBy('name').orderBy('id'),
    search: search ? hasText(search, { columns: ['name'] }) : undefined,
  })
}

export const findCatalog = (db: Db, actor: Actor, id: string): Promise<CatalogRow | undefined> =>
  inScope(db, actor).selectAll().where('id', '=', id).executeTakeFirst()

export const lockCatalog = (tx: Db, actor: Actor, id: string): Promise<CatalogRow | undefined> =>
  inScope(tx, actor).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** For runs, which have a scope and no actor. */
export const findCatalogUnscoped = (
  db: Db,
  { id, scopeId }: Pick<CatalogRow, 'id' | 'scopeId'>,
): Promise<CatalogRow | undefined> =>
  db.selectFrom('catalogs').selectAll().where('id', '=', id).where('scopeId', '=', scopeId).executeTakeFirst()

/** Otherwise the driver would send a PostgreSQL array. */
const asJson = <Item>(list: readonly Item[]) => sql<Item[]>`${JSON.stringify(list)}::jsonb`

export const upsertCatalogUnscoped = async (tx: Db, { entries, sealedKeys, ...row }: CatalogRow): Promise<void> => {
  const lists = { entries: asJson(entries), sealedKeys: asJson(sealedKeys) }
  const { id: _id, scopeId: _scopeId, createdAt: _createdAt, ...change } = row
  await tx
    .insertInto('catalogs')
    .values({ ...row, ...lists })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...change, ...lists }))
    .execute()
}

export const deleteCatalogUnscoped = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('catalogs').where('id', '=', id).execute()
}

/** SQL for collections and what they hold. Who may see one is decided by `get-collection.ts`, which reads the grants too. */
import { can } from '@chancery/contract/abilities.ts'
import type { CollectionListQuery } from '@chancery/contract/files/knowledge.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, inOrder, type SortColumns } from '#kernel/db/paging.ts'
import { hasText } from '#kernel/db/text-search.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { CollectionsTable } from '../tables.ts'

export type CollectionRow = Selectable<CollectionsTable>

export const findCollectionsUnscoped = (db: Db, ids: readonly string[]): Promise<CollectionRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('knowledgeCollections').selectAll().where(isAmong('id', ids)).execute()

export const lockCollectionUnscoped = (db: Db, id: string): Promise<CollectionRow | undefined> =>
  db.selectFrom('knowledgeCollections').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** The caller's own collection of this name, the oldest where there are several. */
export const findOwnByName = (
  db: Db,
  actor: Pick<Actor, 'kind' | 'id'>,
  name: string,
): Promise<CollectionRow | undefined> =>
  db
    .selectFrom('knowledgeCollections')
    .selectAll()
    .where('ownerKind', '=', actor.kind)
    .where('ownerId', '=', actor.id)
    .where('name', '=', name)
    .orderBy('id')
    .executeTakeFirst()

const sortColumns: SortColumns<'name' | 'updated'> = { name: sql`lower(name)`, updated: sql.ref('updatedAt') }

/**
 * Collections that the caller may read, last changed first unless sorted: all for administrators, otherwise own, open
 * and granted ones.
 */
export const listCollections = (
  db: Db,
  actor: Actor,
  { grantedIds, search, status, sort = '-updated', ...page }: CollectionListQuery & { grantedIds: readonly string[] },
) =>
  fetchPage(
    db,
    db
      .selectFrom('knowledgeCollections')
      .$if(!can(actor, 'use-everything'), (query) =>
        query.where((where) =>
          where.or([
            where.and({ ownerKind: actor.kind, ownerId: actor.id }),
            where('isRestricted', '=', false),
            ...(grantedIds.length === 0 ? [] : [where('id', 'in', [...grantedIds])]),
          ]),
        ),
      )
      .$if(status !== undefined, (query) =>
        query.where(
          sql<boolean>`exists (select from knowledge_files join knowledge_documents using (file_id)
            where collection_id = knowledge_collections.id and is_stale)`,
        ),
      ),
    page,
    {
      select: (query) => inOrder(query.selectAll(), { sort, columns: sortColumns }),
      search: search ? hasText(search, { columns: ['name'] }) : undefined,
    },
  )

export const countCollectionsUnscoped = async (db: Db, scopeId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('knowledgeCollections')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(sql<boolean>`coalesce(organization_id, owner_id) = ${scopeId}::uuid`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const insertCollectionUnscoped = (db: Db, row: Insertable<CollectionsTable>): Promise<CollectionRow> =>
  db.insertInto('knowledgeCollections').values(row).returningAll().executeTakeFirstOrThrow()

export const updateCollectionUnscoped = (
  db: Db,
  id: string,
  change: { name?: string; description?: string; isRestricted?: boolean; updatedAt: Date },
): Promise<CollectionRow> =>
  db.updateTable('knowledgeCollections').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const handOverCollectionsUnscoped = (
  db: Db,
  userId: string,
  { id, organizationId }: Pick<Actor, 'id' | 'organizationId'>,
) =>
  db
    .updateTable('knowledgeCollections')
    .set({ ownerId: id, organizationId })
    .where('ownerKind', '=', 'user')
    .where('ownerId', '=', userId)
    .execute()

export const deleteCollectionsOfUnscoped = (db: Db, userId: string) =>
  db
    .deleteFrom('knowledgeCollections')
    .where('ownerKind', '=', 'user')
    .where('ownerId', '=', userId)
    .returning('id')
    .execute()

export const deleteCollectionUnscoped = (db: Db, id: string) =>
  db.deleteFrom('knowledgeCollections').where('id', '=', id).execute()

interface NewMember {
  collectionId: string
  fileId: string
  path?: string
  url?: string
  isSynced?: boolean
  addedAt: Date
}

/** A file that is there already stays, and gets the path if one is given. */
export const addFileUnscoped = async (db: Db, { path, url, ...member }: NewMember): Promise<void> => {
  await db
    .insertInto('knowledgeFiles')
    .values({ ...member, path: path ?? null, url: url ?? null })
    .onConflict((conflict) => {
      const known = conflict.columns(['collectionId', 'fileId'])
      return path === undefined ? known.doNothing() : known.doUpdateSet({ path })
    })
    .execute()
}

/** Without `fileIds`, all of them. Returns those that were there. */
export const removeFilesUnscoped = (
  db: Db,
  collectionId: string,
  fileIds?: readonly string[],
): Promise<{ fileId: string; url: string | null; isSynced: boolean }[]> =>
  fileIds?.length === 0
    ? Promise.resolve([])
    : db
        .deleteFrom('knowledgeFiles')
        .where('collectionId', '=', collectionId)
        .$if(fileIds !== undefined, (query) => query.where(isAmong('fileId', fileIds ?? [])))
        .returning(['fileId', 'url', 'isSynced'])
        .execute()

/** The fetched pages in a collection; with `url`, only those of that address. */
export const listPagesUnscoped = async (db: Db, collectionId: string, url?: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('knowledgeFiles')
    .select('fileId')
    .where('collectionId', '=', collectionId)
    .where('url', 'is not', null)
    .$if(url !== undefined, (query) => query.where('url', '=', url ?? ''))
    .execute()
  return rows.map(({ fileId }) => fileId)
}

/** The addresses of those files that are fetched pages. */
export const listUrlsUnscoped = async (db: Db, fileIds: readonly string[]): Promise<Map<string, string>> => {
  if (fileIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('knowledgeFiles')
    .select(['fileId', 'url'])
    .where(isAmong('fileId', fileIds))
    .where('url', 'is not', null)
    .execute()
  return new Map(rows.map(({ fileId, url }) => [fileId, url ?? '']))
}

export const listMembersUnscoped = (db: Db, collectionId: string, limit: number) =>
  db
    .selectFrom('knowledgeFiles')
    .select(['fileId', 'path'])
    .where('collectionId', '=', collectionId)
    .orderBy('addedAt', 'desc')
    .orderBy('fileId')
    .limit(limit)
    .execute()

/** The files of these collections, each once. */
export const listMembersOfUnscoped = async (db: Db, collectionIds: readonly string[]): Promise<string[]> => {
  if (collectionIds.length === 0) return []
  const rows = await db
    .selectFrom('knowledgeFiles')
    .select('fileId')
    .distinct()
    .where(isAmong('collectionId', collectionIds))
    .execute()
  return rows.map(({ fileId }) => fileId)
}

export interface CollectionCounts {
  files: number
  stale: number
}

export const countFilesUnscoped = async (db: Db, ids: readonly string[]): Promise<Map<string, CollectionCounts>> => {
  const { rows } = await sql<CollectionCounts & { id: string }>`
    select collection_id as id, count(*) as files, count(*) filter (where is_stale) as stale
    from knowledge_files left join knowledge_documents using (file_id)
    where collection_id = any(${ids}::uuid[]) group by 1`.execute(db)
  return new Map(rows.map(({ id, files, stale }) => [id, { files, stale }]))
}

/** The collections that hold a file. */
export const listCollectionsOfFileUnscoped = async (db: Db, fileId: string): Promise<CollectionRow[]> =>
  db
    .selectFrom('knowledgeCollections')
    .innerJoin('knowledgeFiles', 'knowledgeFiles.collectionId', 'knowledgeCollections.id')
    .selectAll('knowledgeCollections')
    .where('knowledgeFiles.fileId', '=', fileId)
    .execute()

/** The files that a sync added to this collection. */
export const listSyncedUnscoped = async (db: Db, collectionId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('knowledgeFiles')
    .select('fileId')
    .where('collectionId', '=', collectionId)
    .where('isSynced', '=', true)
    .execute()
  return rows.map(({ fileId }) => fileId)
}

/** Those of the files that another collection holds or waits for. */
export const listHeldElsewhereUnscoped = async (
  db: Db,
  collectionId: string,
  fileIds: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ fileId: string }>`
    select file_id from knowledge_files where file_id = any(${fileIds}::uuid[]) and collection_id <> ${collectionId}
    union
    select file_id from knowledge_waiting where file_id = any(${fileIds}::uuid[]) and collection_id <> ${collectionId}`.execute(
    db,
  )
  return new Set(rows.map(({ fileId }) => fileId))
}

/** Those of the files that no collection holds. */
export const listUnheldUnscoped = async (db: Db, fileIds: readonly string[]): Promise<string[]> => {
  if (fileIds.length === 0) return []
  const held = await db
    .selectFrom('knowledgeFiles')
    .select('fileId')
    .distinct()
    .where(isAmong('fileId', fileIds))
    .execute()
  const ids = new Set(held.map(({ fileId }) => fileId))
  return fileIds.filter((id) => !ids.has(id))
}

/** SQL for `files` and `file_texts` as people use them. Reads are scoped: a foreign file is not found. */
import type { FileListQuery } from '@chancery/contract/files/files.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, inOrder, type SortColumns } from '#kernel/db/paging.ts'
import { hasText, markOf } from '#kernel/db/text-search.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { FilesTable, TextMark } from '../tables.ts'

export type FileRow = Selectable<FilesTable>
export type NewFile = Insertable<FilesTable>

type Caller = Pick<Actor, 'kind' | 'id'>

const ownFiles = (db: Db, actor: Caller) =>
  db.selectFrom('files').where('ownerKind', '=', actor.kind).where('ownerId', '=', actor.id)

export const findOwnFile = (db: Db, actor: Caller, id: string): Promise<FileRow | undefined> =>
  ownFiles(db, actor).selectAll().where('id', '=', id).executeTakeFirst()

const sortColumns: SortColumns<'name' | 'status' | 'size' | 'type' | 'created'> = {
  name: sql`lower(name)`,
  status: sql.ref('state'),
  size: sql.ref('size'),
  type: sql.ref('contentType'),
  created: sql.ref('createdAt'),
}

const indexedNames = sql`trigrams(right(owner_id::text, 8), name)`

/** Newest first unless sorted. */
export const listOwnFiles = (db: Db, actor: Caller, { search, status, sort = '-created', ...page }: FileListQuery) =>
  fetchPage(
    db,
    ownFiles(db, actor).$if(status !== undefined, (query) => query.where('state', '=', status ?? 'pending')),
    page,
    {
      select: (query) => inOrder(query.selectAll(), { sort, columns: sortColumns }),
      search: search
        ? hasText(search, { columns: ['name'], trigrams: indexedNames, mark: markOf(actor.id) })
        : undefined,
    },
  )

export const findFileUnscoped = (db: Db, id: string): Promise<FileRow | undefined> =>
  db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()

export const listFilesUnscoped = (db: Db, ids: readonly string[]): Promise<FileRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.selectFrom('files').selectAll().where(isAmong('id', ids)).execute()

/** Keeps the files from being deleted, and their processing from ending, until the transaction ends. Returns those that are there. */
export const lockFilesUnscoped = async (
  db: Db,
  ids: readonly string[],
  { forDeletion = false }: { forDeletion?: boolean } = {},
): Promise<string[]> => {
  if (ids.length === 0) return []
  const query = db.selectFrom('files').select('id').where(isAmong('id', ids)).orderBy('id')
  const rows = await (forDeletion ? query.forUpdate() : query.forShare()).execute()
  return rows.map(({ id }) => id)
}

/** The owner's file of these bytes, kept from being deleted until the transaction ends. */
export const findSameFileUnscoped = (
  db: Db,
  owner: Caller,
  { sha256, contentType }: Pick<FileRow, 'sha256' | 'contentType'>,
): Promise<FileRow | undefined> =>
  ownFiles(db, owner)
    .selectAll()
    .where('sha256', '=', sha256)
    .where('contentType', '=', contentType)
    .where('provisionalUntil', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .forKeyShare()
    .executeTakeFirst()

/** When two requests bring the same bytes, the second one waits and finds the file of the first. */
export const lockHashesUnscoped = (db: Db, owner: Caller) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`file hashes ${owner.id}`}, 0))`.execute(db)

export const insertFileUnscoped = (db: Db, file: NewFile): Promise<FileRow> =>
  db
    .insertInto('files')
    .values({ ...file, leaseUntil: sql`now() + interval '60 seconds'` })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Until it is kept, or for an hour, which is longer than processing it takes. */
export const markProvisionalUnscoped = (db: Db, id: string) =>
  db.updateTable('files').set({ provisionalUntil: sql<Date>`now() + interval '1 hour'` }).where('id', '=', id).execute()

export const keepFileUnscoped = async (db: Db, id: string): Promise<void> => {
  await db.updateTable('files').set({ provisionalUntil: null }).where('id', '=', id).execute()
}

/** Those whose time is over, locked; one that is being kept at this moment is left out. */
export const lockAbandonedUnscoped = async (tx: Db, limit: number): Promise<string[]> => {
  const rows = await tx
    .selectFrom('files')
    .select('id')
    .where('provisionalUntil', '<', sql<Date>`now()`)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id)
}

export const listFileIdsOfUnscoped = async (db: Db, userId: string): Promise<string[]> =>
  (await ownFiles(db, { kind: 'user', id: userId }).select('id').execute()).map(({ id }) => id)

export const handOverFilesUnscoped = (
  db: Db,
  userId: string,
  { id, organizationId }: Pick<Actor, 'id' | 'organizationId'>,
) =>
  db
    .updateTable('files')
    .set({ ownerId: id, organizationId })
    .where('ownerKind', '=', 'user')
    .where('ownerId', '=', userId)
    .execute()

/** Returns the blobs whose rows are gone. */
export const deleteFilesUnscoped = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const images = await db.deleteFrom('fileImages').where(isAmong('fileId', ids)).returning('blobKey').execute()
  const rows = await db.deleteFrom('files').where(isAmong('id', ids)).returning('blobKey').execute()
  return [...images, ...rows].flatMap(({ blobKey }) => blobKey ?? [])
}

export interface StoredText {
  content: string
  marks: TextMark[]
}

export const findTextUnscoped = (db: Db, fileId: string): Promise<StoredText | undefined> =>
  db.selectFrom('fileTexts').select(['content', 'marks']).where('fileId', '=', fileId).executeTakeFirst()

/** Characters of text in these files together. */
export const countTextUnscoped = async (db: Db, ids: readonly string[]): Promise<number> => {
  if (ids.length === 0) return 0
  const { total } = await db
    .selectFrom('fileTexts')
    .select(sql<number>`coalesce(sum(length(content)), 0)::int8`.as('total'))
    .where(isAmong('fileId', ids))
    .executeTakeFirstOrThrow()
  return total
}

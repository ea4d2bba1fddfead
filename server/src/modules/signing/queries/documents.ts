/** All SQL for `signing_documents`. Reads are scoped by the actor: owners and their organization's admins. */
import { can } from '@chancery/contract/abilities.ts'
import type { DocumentListQuery } from '@chancery/contract/signing/documents.ts'
import type { DocumentState, RecipientState } from '@chancery/contract/signing/signing.ts'
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { inOrder, isDescending, type SortColumns, sortColumn } from '#kernel/db/paging.ts'
import { readTotal } from '#kernel/db/running-totals.ts'
import { hasText, markOf } from '#kernel/db/text-search.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { parseWith } from '#kernel/http/bodies/validation.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SigningDocumentsTable } from '../tables.ts'

export type DocumentRow = SigningDocumentsTable
export type Kind = DocumentRow['kind']

/** Templates are for the whole scope; documents for their owner and the organization's admins. */
const visible = (db: Db, actor: Actor, kind: Kind) => {
  const inScope = db
    .selectFrom('signingDocuments')
    .where('scopeId', '=', scopeOf(actor))
    .where('kind', '=', kind)
    .where('deletedAt', 'is', null)
  const seesAll = kind === 'TEMPLATE' || can(actor, 'see-all-documents')
  return seesAll ? inScope : inScope.where('ownerId', '=', actor.id)
}

export const findDocument = (
  db: Db,
  actor: Actor,
  { id, kind = 'DOCUMENT' }: { id: string; kind?: Kind },
): Promise<DocumentRow | undefined> => visible(db, actor, kind).selectAll().where('id', '=', id).executeTakeFirst()

/** Everything that changes a document or its recipients holds this lock: two changes never interleave. */
export const lockDocument = (
  db: Db,
  actor: Actor,
  { id, kind = 'DOCUMENT' }: { id: string; kind?: Kind },
): Promise<DocumentRow | undefined> =>
  visible(db, actor, kind).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const lockDocumentUnscoped = (db: Db, id: string): Promise<DocumentRow | undefined> =>
  db.selectFrom('signingDocuments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findDocumentUnscoped = (db: Db, id: string): Promise<DocumentRow | undefined> =>
  db.selectFrom('signingDocuments').selectAll().where('id', '=', id).executeTakeFirst()

export const listTemplates = (db: Db, actor: Actor, ids: readonly string[]): Promise<DocumentRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : visible(db, actor, 'TEMPLATE').selectAll().where('id', 'in', ids).execute()

interface Filter {
  kind: Kind
  state?: DocumentState | undefined
  folder?: string | undefined
  search?: string | undefined
  limit: number
  sort?: DocumentListQuery['sort']
  cursor?: string | undefined
}

type SortName = 'title' | 'updated'

const sortColumns: SortColumns<SortName> = { title: sql`lower(title)`, updated: sql`updated_at` }

/** The sorted column as the text that a cursor contains, exact to the microsecond. */
const cursorTexts: SortColumns<SortName> = {
  title: sortColumns.title,
  updated: sql`to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
}

/** Newest first unless sorted. One more than the limit is read, to see whether there is a next page. */
export const listDocuments = (db: Db, actor: Actor, filter: Filter) => {
  const { kind, state, folder, search, limit, sort, cursor } = filter
  let query = visible(db, actor, kind)
  if (state) query = query.where('state', '=', state)
  if (folder !== undefined) query = query.where('folder', '=', folder)
  if (search) query = query.where(matches(scopeOf(actor), search))
  const column = sort === undefined ? sql<string>`id::text` : sortColumn({ sort, columns: cursorTexts })
  return inListOrder(query, sort, cursor)
    .selectAll()
    .select([signers.as('signers'), column.$castTo<string>().as('sortedBy')])
    .limit(limit + 1)
    .execute()
}

/** A cursor has the last row's id and the value it was sorted by, so that a change of that row moves no later page. */
const inListOrder = (query: ReturnType<typeof visible>, sort: Filter['sort'], cursor: string | undefined) => {
  const [id, text = ''] = cursor?.split('.') ?? []
  if (sort === undefined) return (id === undefined ? query : query.where('id', '<', id)).orderBy('id', 'desc')
  const order = { sort, columns: sortColumns }
  if (id === undefined) return inOrder(query, order)
  const later = sql.raw(isDescending(sort) ? '<' : '>')
  const last = lastValue(sort, Buffer.from(text, 'base64url').toString())
  return inOrder(query.where(sql<SqlBool>`(${sortColumn(order)}, id) ${later} (${last}, ${id}::uuid)`), order)
}

/** Values that PostgreSQL can read: a title without NUL, and the time as this list writes it, of a year that exists. */
const lastValues = {
  title: z.object({ cursor: z.string().refine((text) => !text.includes('\0')) }),
  updated: z.object({ cursor: z.iso.datetime({ precision: 6 }).regex(/^[1-9]/) }),
}

/** The value in a cursor. One that is broken, or of another order, is refused. */
const lastValue = (sort: NonNullable<Filter['sort']>, text: string) =>
  sort.endsWith('updated')
    ? sql`${parseWith(lastValues.updated, { cursor: text }, 'query').cursor}::timestamptz`
    : sql`${parseWith(lastValues.title, { cursor: text }, 'query').cursor}`

interface Listed {
  id: string
  sortedBy: string
}

/** The cursor of the next page, if there is one. */
export const nextCursor = (rows: readonly Listed[], { limit, sort }: Pick<Filter, 'limit' | 'sort'>): string | null => {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  if (last === undefined) return null
  return sort === undefined ? last.id : `${last.id}.${Buffer.from(last.sortedBy).toString('base64url')}`
}

const inSearch = { columns: ['content'], trigrams: sql`trigrams(right(scope_id::text, 8), content)` } as const

/** The title, or the name or address of a recipient. `offset` has it looked up first, not for each row of the list. */
const matches = (scopeId: string, search: string) => sql<SqlBool>`id in (
  select document_id from signing_search
  where scope_id = ${scopeId} and ${hasText(search, { ...inSearch, mark: markOf(scopeId) }).byIndex} offset 0)`

/** Those who must act, in order. */
const signers = sql<{ name: string; state: RecipientState }[]>`(
  select coalesce(json_agg(json_build_object('name', r.name, 'state', r.state) order by r.order_number, r.id), '[]')
  from signing_recipients as r
  where r.document_id = signing_documents.id and r.role in ('SIGNER', 'APPROVER') and r.state <> 'REPLACED')`

export const insertDocumentUnscoped = (db: Db, document: Insertable<SigningDocumentsTable>): Promise<DocumentRow> =>
  db.insertInto('signingDocuments').values(document).returningAll().executeTakeFirstOrThrow()

export const updateDocumentUnscoped = (
  db: Db,
  id: string,
  change: Updateable<SigningDocumentsTable>,
): Promise<DocumentRow> =>
  db.updateTable('signingDocuments').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const listDueUnscoped = async (
  db: Db,
  { now, due, after }: { now: Date; due: 'expiresAt' | 'nextReminderAt'; after: string },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('signingDocuments')
    .select('id')
    .where('kind', '=', 'DOCUMENT')
    .where('state', '=', 'SENT')
    .where(due, '<=', now)
    .where('id', '>', after)
    .orderBy('id')
    .limit(100)
    .execute()
  return rows.map(({ id }) => id)
}

/** Those that still move: recipients may act, or the seal is to be made. */
export const listUnfinishedOfUnscoped = async (db: Db, ownerId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('signingDocuments')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('kind', '=', 'DOCUMENT')
    .where('state', 'in', ['SENT', 'SEAL_FAILED'])
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

type NewOwner = Pick<DocumentRow, 'ownerId' | 'ownerName' | 'ownerEmail' | 'organizationId' | 'scopeId'>

/** The certificate of a finished document goes on naming who sent it. */
export const moveOwnerUnscoped = async (db: Db, from: string, to: NewOwner): Promise<void> => {
  const { ownerName, ownerEmail, ...owner } = to
  await db
    .updateTable('signingDocuments')
    .set({ ownerName, ownerEmail })
    .where('ownerId', '=', from)
    .where('endedAt', 'is', null)
    .execute()
  await db.updateTable('signingDocuments').set(owner).where('ownerId', '=', from).execute()
}

/** Sent since the start of the month. Documents are never removed once sent, so each counts exactly once. */
export const countSentUnscoped = async (db: Db, scopeId: string, since: Date): Promise<number> => {
  const { count } = await db
    .selectFrom('signingDocuments')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('scopeId', '=', scopeId)
    .where('sentAt', '>=', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Two sends of one scope count one after the other, so that the last free one is given once. */
export const lockQuotaUnscoped = async (db: Db, scopeId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`signing quota ${scopeId}`}, 0))`.execute(db)
}

/** The bytes of the scope's uploads, originals and sealed files. */
export const sumBytesUnscoped = (db: Db, scopeId: string): Promise<number> =>
  readTotal(db, { kind: 'document_bytes', ownerId: scopeId })

/** A node of a run, and the first run of its line of retries. */
interface RunNode {
  runId: string
  lineId: string
  nodeId: string
}

export const findDocumentOfNodeUnscoped = (db: Db, { runId, nodeId }: RunNode): Promise<DocumentRow | undefined> =>
  db
    .selectFrom('signingDocuments')
    .selectAll()
    .where('runId', '=', runId)
    .where('runNode', '=', nodeId)
    .executeTakeFirst()

/** A document that an earlier run of the line sent and nobody refused belongs to this run from now on. */
export const adoptDocumentOfLineUnscoped = (
  db: Db,
  { runId, lineId, nodeId }: RunNode,
): Promise<DocumentRow | undefined> =>
  db
    .updateTable('signingDocuments')
    .set({ runId })
    .where('runLine', '=', lineId)
    .where('runNode', '=', nodeId)
    .where('state', 'in', ['SENT', 'SEALING', 'SEAL_FAILED', 'COMPLETED'])
    .returningAll()
    .executeTakeFirst()

export const listOpenOfRunUnscoped = async (db: Db, runId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('signingDocuments')
    .select('title')
    .where('runId', '=', runId)
    .where('state', '=', 'SENT')
    .orderBy('id')
    .execute()
  return rows.map(({ title }) => title)
}

/**
 * The audit log: who did what, when and from where. Written in the transaction of the action, so that neither exists
 * without the other.
 */
import { type SqlBool, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { fetchPage, inOrder, type Page, readWhole, type SortColumns, type SortName } from '../db/paging.ts'
import { hasText, type Search } from '../db/text-search.ts'
import type { Actor } from '../http/actor.ts'
import type { Ids } from '../ids.ts'
import type { Log } from '../log.ts'

export interface AuditTable {
  id: string
  at: Date
  action: string
  actorKind: 'user' | 'admin' | 'system' | 'anonymous'
  actorId: string | null
  actorName: string | null
  targetKind: string | null
  targetId: string | null
  organizationId: string | null
  ip: string | null
  userAgent: string | null
  requestId: string | null
  detail: Record<string, unknown>
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    auditLog: AuditTable
  }
}

/** The source of an action; `HttpCall` fits. */
export interface Origin {
  ip: string
  userAgent: string | null
  requestId: string
}

type Author = Pick<Actor, 'kind' | 'id' | 'name' | 'organizationId'>

interface Action {
  /** `area.verb`, such as `account.register`. */
  action: string
  by: Author | 'system' | 'anonymous'
  target?: { kind: string; id: string }
  organizationId?: string | null
  from?: Origin
  /** Never a password, token, key or code. */
  detail?: Record<string, unknown>
}

type Edit = Action & Required<Pick<Action, 'target'>> & { by: Author; detail: { fields: readonly string[] } }

export interface Audit {
  record(db: Db, action: Action): Promise<void>
  /**
   * For what is saved while someone edits it. Saves of one session are one entry: by the same person, from the same
   * browser, each within half an hour of the one before, and nothing else recorded of the target in between. The entry
   * stays where its first save put it, and its detail has all `fields`, how many `saves` there were, and the last one.
   */
  recordEdit(db: Db, edit: Edit): Promise<void>
}

const sessionIdleMs = 30 * 60_000
/** However long someone edits, an entry doesn't stand for more than this. */
const sessionMaxMs = 8 * 60 * 60_000

const authorColumns = (by: Action['by']) =>
  typeof by === 'string'
    ? { actorKind: by, actorId: null, actorName: null }
    : { actorKind: by.kind, actorId: by.id, actorName: by.name }

interface Needs {
  clock: Clock
  ids: Ids
  /** Entries are lines there too, for those who collect them elsewhere. */
  log?: Pick<Log, 'info'> | undefined
}

export const createAudit = ({ clock, ids, log }: Needs): Audit => {
  const record: Audit['record'] = async (db, { action, by, target, organizationId, from, detail }) => {
    const entry = {
      id: ids.next(),
      at: clock.now(),
      action,
      ...authorColumns(by),
      targetKind: target?.kind ?? null,
      targetId: target?.id ?? null,
      organizationId: organizationId ?? (typeof by === 'string' ? null : by.organizationId),
      ip: from?.ip ?? null,
      userAgent: from?.userAgent ?? null,
      requestId: from?.requestId ?? null,
      detail: detail ?? {},
    }
    await db.insertInto('auditLog').values(entry).execute()
    log?.info({ audit: entry }, 'audit')
  }
  return {
    record,
    recordEdit: async (db, edit) => {
      const now = clock.now()
      const last = await lockLastUnscoped(db, edit.target.id)
      if (!last || !continues(last, edit, now)) return record(db, edit)
      const detail = extended(last, edit, now)
      await db.updateTable('auditLog').set({ detail }).where('id', '=', last.id).execute()
      log?.info({ audit: { ...last, detail } }, 'audit')
    },
  }
}

/** Locked, so that of two saves at the same time the second sees the first. */
const lockLastUnscoped = (db: Db, targetId: string): Promise<AuditTable | undefined> =>
  db
    .selectFrom('auditLog')
    .selectAll()
    .where('targetId', '=', targetId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()

const savedAt = ({ at, detail }: AuditTable): number =>
  typeof detail.last_saved_at === 'string' ? Date.parse(detail.last_saved_at) : at.getTime()

const continues = (last: AuditTable, { action, by, target, from }: Edit, now: Date): boolean =>
  last.action === action &&
  last.targetKind === target.kind &&
  last.actorKind === by.kind &&
  last.actorId === by.id &&
  last.ip === (from?.ip ?? null) &&
  last.userAgent === (from?.userAgent ?? null) &&
  now.getTime() - savedAt(last) <= sessionIdleMs &&
  now.getTime() - last.at.getTime() <= sessionMaxMs

/** The first save's words stay: the name that the target had then, and the request. */
const extended = ({ detail: before }: AuditTable, { detail, from }: Edit, now: Date): AuditTable['detail'] => ({
  ...detail,
  ...before,
  fields: [...new Set([...(Array.isArray(before.fields) ? before.fields : []), ...detail.fields])],
  saves: (typeof before.saves === 'number' ? before.saves : 1) + 1,
  last_saved_at: now.toISOString(),
  last_request_id: from?.requestId ?? null,
})

/** Returns how many entries were deleted, the oldest first. */
export const deleteAuditBeforeUnscoped = async (tx: Db, before: Date, limit: number): Promise<number> => {
  const old = tx.selectFrom('auditLog').select('id').where('at', '<', before).orderBy('at').orderBy('id').limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('auditLog').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export interface AuditFilter {
  search?: string | undefined
  /** The part of the action before its dot. */
  area?: string | undefined
  /** A part of the actor's name. */
  person?: string | undefined
  /** Days in UTC, both included. */
  from?: string | undefined
  to?: string | undefined
}

const dayMs = 86_400_000

/** Each has an index, word for word. */
const sortColumns: SortColumns<'time' | 'action' | 'actor' | 'ip'> = {
  time: sql.ref('at'),
  action: sql.ref('action'),
  actor: sql`lower(coalesce(actor_name, ''))`,
  ip: sql`coalesce(ip, '')`,
}

const trigrams = sql`trigrams('', action || E'\\n' || coalesce(actor_name, ''))`

const filtered = (db: Db, { search, area, person, from, to }: AuditFilter) => {
  let query = db.selectFrom('auditLog')
  if (area) query = query.where(sql<SqlBool>`split_part(action, '.', 1) = ${area}`)
  if (from) query = query.where('at', '>=', new Date(from))
  if (to) query = query.where('at', '<', new Date(Date.parse(to) + dayMs))
  const found = search ? isAbout(search) : undefined
  return { query, search: person ? isBy(person, found) : found }
}

interface AuditPage extends AuditFilter, Page {
  sort?: SortName<keyof typeof sortColumns> | undefined
}

/** Newest first unless sorted, across all organizations: for the platform console only. */
export const listAuditUnscoped = (db: Db, page: AuditPage) => {
  const { sort = '-time' } = page
  const { query, search } = filtered(db, page)
  const select = (matching: typeof query) => inOrder(matching.selectAll(), { sort, columns: sortColumns })
  return fetchPage(db, query, page, { select, search })
}

/** All of it, newest first, in portions. */
export const readAuditUnscoped = (db: Db, filter: AuditFilter): AsyncGenerator<AuditTable[], void> => {
  const { query, search } = filtered(db, filter)
  return readWhole(query, { select: (matching) => matching.selectAll(), search, sort: '-time', columns: sortColumns })
}

/** A name leads to fewer entries than most texts: what else is searched for is looked for in those. */
const isBy = (person: string, found: Search | undefined): Search => {
  const { byIndex, byReading } = hasText(person, { columns: ['actorName'], trigrams })
  const also = found ? sql` and ${found.byReading}` : sql``
  return { byIndex: sql<SqlBool>`(${byIndex}${also})`, byReading: sql<SqlBool>`(${byReading}${also})` }
}

/** Each found by its own index: with `or`, PostgreSQL makes the trigrams of every entry it has found once more. */
const isAbout = (text: string): Search => {
  const { byIndex, byReading } = hasText(text, { columns: ['action', 'actorName'], trigrams })
  return {
    byIndex: sql<SqlBool>`id = any(array(
      select id from audit_log where ${byIndex} union all select id from audit_log where target_id = ${text}))`,
    byReading: sql<SqlBool>`(${byReading} or target_id = ${text})`,
  }
}

/** The last names of these targets in entries about them: many entries change something without naming it. */
export const listWrittenNamesUnscoped = async (db: Db, targetIds: readonly string[]): Promise<Map<string, string>> => {
  if (targetIds.length === 0) return new Map()
  const { rows } = await sql<{ targetId: string; name: string }>`
    select distinct on (target_id) target_id, name
    from audit_log, lateral (
      select coalesce(detail->>'name', detail->>'title', detail->>'email', detail->>'domain') as name
    ) written
    where target_id = any(${targetIds}::text[]) and name is not null
    order by target_id, at desc, id desc`.execute(db)
  return new Map(rows.map(({ targetId, name }) => [targetId, name]))
}

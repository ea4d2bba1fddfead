/** Who did what, when and from where. Written in the transaction of the action, so that neither exists without the other. */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { containing, fetchPage, type Page } from '../db/paging.ts'
import type { Actor } from '../http/actor.ts'
import type { Ids } from '../ids.ts'

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

/** Where an action came from; `HttpCall` fits. */
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

export interface Audit {
  record(db: Db, action: Action): Promise<void>
}

const authorColumns = (by: Action['by']) =>
  typeof by === 'string'
    ? { actorKind: by, actorId: null, actorName: null }
    : { actorKind: by.kind, actorId: by.id, actorName: by.name }

export const createAudit = ({ clock, ids }: { clock: Clock; ids: Ids }): Audit => ({
  record: async (db, { action, by, target, organizationId, from, detail }) => {
    await db
      .insertInto('auditLog')
      .values({
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
      })
      .execute()
  },
})

/** Returns how many entries were deleted, the oldest first. */
export const deleteAuditBeforeUnscoped = async (tx: Db, before: Date, limit: number): Promise<number> => {
  const old = tx.selectFrom('auditLog').select('id').where('at', '<', before).orderBy('at').orderBy('id').limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('auditLog').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export interface AuditFilter extends Page {
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

/** Newest first, across all organizations: for the platform console only. */
export const listAuditUnscoped = (db: Db, filter: AuditFilter) => {
  const { search, area, person, from, to } = filter
  let query = db.selectFrom('auditLog')
  if (area) query = query.where('action', 'like', `${area.replace(/[\\%_]/g, '\\$&')}.%`)
  if (person) query = query.where('actorName', 'ilike', containing(person))
  if (from) query = query.where('at', '>=', new Date(from))
  if (to) query = query.where('at', '<', new Date(Date.parse(to) + dayMs))
  if (search) {
    query = query.where((where) =>
      where.or([
        where('action', 'ilike', containing(search)),
        where('actorName', 'ilike', containing(search)),
        where('targetId', '=', search),
      ]),
    )
  }
  return fetchPage(query, filter, (matching) => matching.selectAll().orderBy('at', 'desc').orderBy('id', 'desc'))
}

/** The audit log for the console, with the names of what was changed. */
import type { AuditEntry, AuditFilter, AuditQuery } from '@chancery/contract/platform.ts'
import { type AuditTable, listAuditUnscoped } from '#kernel/audit/audit.ts'
import { toCsv } from '#kernel/csv.ts'
import type { Db } from '#kernel/db/database.ts'
import { listUsersAmongUnscoped } from '#modules/accounts/index.ts'
import { listOrganizationsAmongUnscoped } from '#modules/organizations/index.ts'
import { presentAuditEntry } from './present.ts'

const maxExported = 10_000
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A person or organization may have been renamed since, or be gone. */
const currentNames = async (db: Db, entries: readonly AuditTable[]): Promise<Map<string, string>> => {
  const idsOf = (kind: string) => [
    ...new Set(entries.flatMap(({ targetKind, targetId }) => (targetKind === kind && targetId ? [targetId] : []))),
  ]
  const [users, organizations] = await Promise.all([
    listUsersAmongUnscoped(
      db,
      idsOf('user').filter((id) => uuid.test(id)),
    ),
    listOrganizationsAmongUnscoped(
      db,
      idsOf('organization').filter((id) => uuid.test(id)),
    ),
  ])
  return new Map([...users, ...organizations].map(({ id, name }) => [id, name]))
}

/** Where the entry itself says what it was called. */
const writtenName = ({ detail }: AuditTable): string | null =>
  [detail.name, detail.title, detail.email, detail.domain].find((value) => typeof value === 'string') ?? null

export const readAudit = async (db: Db, query: AuditQuery): Promise<{ items: AuditEntry[]; total: number }> => {
  const { items, total } = await listAuditUnscoped(db, query)
  const names = await currentNames(db, items)
  return {
    items: items.map((entry) => presentAuditEntry(entry, names.get(entry.targetId ?? '') ?? writtenName(entry))),
    total,
  }
}

const header = ['at', 'action', 'actor', 'actor_id', 'target', 'target_id', 'target_name', 'ip', 'detail'] as const

export const exportAudit = async (db: Db, query: AuditFilter): Promise<string> => {
  const { items } = await readAudit(db, { ...query, page: 1, limit: maxExported })
  const rows = items.map(({ at, action, actor, target, ip, detail }) => ({
    at,
    action,
    actor: actor.name ?? actor.kind,
    actor_id: actor.id,
    target: target?.kind ?? null,
    target_id: target?.id ?? null,
    target_name: target?.name ?? null,
    ip,
    detail: JSON.stringify(detail),
  }))
  return toCsv(header, rows)
}

/** The audit log for the console, with the names of what was changed. */
import type { AuditEntry, AuditFilter, AuditQuery } from '@chancery/contract/platform/platform.ts'
import { type AuditTable, listAuditUnscoped, listWrittenNamesUnscoped, readAuditUnscoped } from '#kernel/audit/audit.ts'
import { csvOfPortions } from '#kernel/csv.ts'
import type { Db } from '#kernel/db/database.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import { listUsersAmongUnscoped } from '#modules/accounts/index.ts'
import { listOrganizationsAmongUnscoped } from '#modules/organizations/index.ts'
import { presentAuditEntry } from './present.ts'
import { listAdminsAmongUnscoped } from './queries.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A person, an admin or an organization may have been renamed since, or be gone. */
const currentNames = async (db: Db, entries: readonly AuditTable[]): Promise<Map<string, string>> => {
  const idsOf = (kind: string) =>
    unique(entries.flatMap(({ targetKind, targetId }) => (targetKind === kind && targetId ? [targetId] : []))).filter(
      (id) => uuid.test(id),
    )
  const found = await Promise.all([
    listUsersAmongUnscoped(db, idsOf('user')),
    listOrganizationsAmongUnscoped(db, idsOf('organization')),
    listAdminsAmongUnscoped(db, idsOf('admin')),
  ])
  return new Map(found.flat().map(({ id, name }) => [id, name]))
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

/** The name that the entry itself holds; a run has the name of its workflow. */
const writtenName = ({ detail }: AuditTable): string | null =>
  [detail.name, detail.title, detail.email, detail.domain, detail.workflow].find(
    (value) => typeof value === 'string',
  ) ?? null

export const readAudit = async (db: Db, query: AuditQuery): Promise<{ items: AuditEntry[]; total: number }> => {
  const { items, total } = await listAuditUnscoped(db, query)
  return { items: await named(db, items), total }
}

const named = async (db: Db, items: readonly AuditTable[]): Promise<AuditEntry[]> => {
  const names = await currentNames(db, items)
  const isNamed = (entry: AuditTable) => names.has(entry.targetId ?? '') || writtenName(entry) !== null
  const unnamed = items.flatMap((entry) => (entry.targetId === null || isNamed(entry) ? [] : [entry.targetId]))
  const written = await listWrittenNamesUnscoped(db, unique(unnamed))
  const nameOf = (entry: AuditTable): string | null =>
    names.get(entry.targetId ?? '') ?? writtenName(entry) ?? written.get(entry.targetId ?? '') ?? spokenId(entry)
  return items.map((entry) => presentAuditEntry(entry, nameOf(entry)))
}

/** A session is its person's; what has no generated id (a setting, a model) is called by its id. */
const spokenId = ({ targetKind, targetId, actorName }: AuditTable): string | null => {
  if (targetKind === 'session') return actorName
  return targetId === null || uuid.test(targetId) ? null : targetId
}

const header = ['at', 'action', 'actor', 'actor_id', 'target', 'target_id', 'target_name', 'ip', 'detail'] as const

async function* readNamed(db: Db, filter: AuditFilter): AsyncGenerator<AuditEntry[], void> {
  for await (const items of readAuditUnscoped(db, filter)) yield named(db, items)
}

export const exportAudit = (db: Db, filter: AuditFilter): Promise<RawReply> =>
  csvOfPortions('audit-log', {
    header,
    portions: readNamed(db, filter),
    rowOf: ({ at, action, actor, target, ip, detail }) => ({
      at,
      action,
      actor: actor.name ?? actor.kind,
      actor_id: actor.id,
      target: target?.kind ?? null,
      target_id: target?.id ?? null,
      target_name: target?.name ?? null,
      ip,
      detail: JSON.stringify(detail),
    }),
  })

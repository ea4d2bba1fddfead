/** All SQL for `ldap_entries`: which directory entry represents which of our records. */
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import type { EntryKind, LdapEntriesTable } from '../tables.ts'

export type EntryRecord = Omit<LdapEntriesTable, 'updatedAt'>

/** Written after each change in the directory, so that an interrupted pass can continue where it stopped. */
export interface Records {
  find(kind: EntryKind, subjectId: string): EntryRecord | undefined
  list(): EntryRecord[]
  save(record: Omit<EntryRecord, 'organizationId'>): Promise<void>
  forget(record: EntryRecord): Promise<void>
}

export const readRecordsUnscoped = async (
  { db, clock }: { db: Db; clock: Clock },
  organizationId: string,
): Promise<Records> => {
  const rows = await db.selectFrom('ldapEntries').selectAll().where('organizationId', '=', organizationId).execute()
  const keyOf = ({ kind, subjectId }: Pick<EntryRecord, 'kind' | 'subjectId'>) => `${kind} ${subjectId}`
  const records = new Map<string, EntryRecord>(rows.map((row) => [keyOf(row), row]))
  return {
    find: (kind, subjectId) => records.get(keyOf({ kind, subjectId })),
    list: () => [...records.values()],
    save: async (record) => {
      const row = { organizationId, ...record, updatedAt: clock.now() }
      await db
        .insertInto('ldapEntries')
        .values(row)
        .onConflict((conflict) => conflict.columns(['organizationId', 'kind', 'subjectId']).doUpdateSet(row))
        .execute()
      records.set(keyOf(record), { organizationId, ...record })
    },
    forget: async (record) => {
      await db
        .deleteFrom('ldapEntries')
        .where('organizationId', '=', organizationId)
        .where('kind', '=', record.kind)
        .where('subjectId', '=', record.subjectId)
        .execute()
      records.delete(keyOf(record))
    },
  }
}

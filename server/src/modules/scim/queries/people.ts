/** All SQL for `scim_people`: who is linked to their organization's directory, and what it calls them. */
import { sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Directory } from '../context.ts'
import type { ScimPeopleTable } from '../tables.ts'

export type PersonRow = ScimPeopleTable
export type PersonChange = Partial<Omit<PersonRow, 'userId' | 'organizationId'>>

export const findPerson = (db: Db, directory: Directory, userId: string): Promise<PersonRow | undefined> =>
  db
    .selectFrom('scimPeople')
    .selectAll()
    .where('organizationId', '=', directory.organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()

export const listPeople = (db: Db, directory: Directory, userIds: readonly string[]): Promise<PersonRow[]> =>
  db
    .selectFrom('scimPeople')
    .selectAll()
    .where('organizationId', '=', directory.organizationId)
    .where(isAmong('userId', userIds))
    .execute()

/** Held until the transaction ends, so that two who write one person do so one after the other. */
export const lockPerson = async (
  tx: Db,
  directory: Directory,
  { userId, at }: { userId: string; at: Date },
): Promise<{ row: PersonRow; isNew: boolean }> => {
  const { organizationId } = directory
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('scimPeople')
    .values({
      userId,
      organizationId,
      externalId: null,
      userName: null,
      givenName: null,
      familyName: null,
      changedAt: at,
      suspendedAt: null,
      removedAt: null,
    })
    // Somebody who was of another organization before is new to this one.
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({
          organizationId,
          externalId: null,
          userName: null,
          givenName: null,
          familyName: null,
          suspendedAt: null,
          removedAt: null,
        })
        .where('scimPeople.organizationId', '!=', organizationId),
    )
    .executeTakeFirst()
  const row = await tx
    .selectFrom('scimPeople')
    .selectAll()
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { row, isNew: (numInsertedOrUpdatedRows ?? 0n) > 0n }
}

/** Fails on the unique index where somebody else of the organization is called so. */
export const updatePersonRow = (tx: Db, directory: Directory, userId: string, change: PersonChange) =>
  tx
    .updateTable('scimPeople')
    .set(change)
    .where('userId', '=', userId)
    .where('organizationId', '=', directory.organizationId)
    .execute()

/** Somebody else decided about their account. */
export const clearSuspensionUnscoped = (tx: Db, userId: string) =>
  tx.updateTable('scimPeople').set({ suspendedAt: null }).where('userId', '=', userId).execute()

/** Who is linked and wasn't deactivated by the directory, and how many it has deactivated since a time. */
export const countForGuard = async (
  db: Db,
  directory: Directory,
  since: Date,
): Promise<{ active: number; deactivated: number }> =>
  db
    .selectFrom('scimPeople')
    .select([
      sql<number>`(count(*) filter (where suspended_at is null and removed_at is null))::int`.as('active'),
      sql<number>`(count(*) filter (where suspended_at > ${since}))::int`.as('deactivated'),
    ])
    .where('organizationId', '=', directory.organizationId)
    .executeTakeFirstOrThrow()

/** By somebody else whose user name isn't their email. */
export const isUserNameTaken = async (
  tx: Db,
  directory: Directory,
  { userName, userId }: { userName: string; userId: string },
): Promise<boolean> =>
  (await tx
    .selectFrom('scimPeople')
    .select('userId')
    .where('organizationId', '=', directory.organizationId)
    .where('userName', '=', userName)
    .where('userId', '!=', userId)
    .executeTakeFirst()) !== undefined

/** All SQL for groups and departments, and who is in them. */
import { normalized } from '@chancery/contract/normalized.ts'
import { sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, type Page } from '#kernel/db/paging.ts'
import { hasText } from '#kernel/db/text-search.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { UnitKind, UnitsTable } from '../tables.ts'

export type UnitRow = UnitsTable
export type UnitWithMembers = UnitRow & { memberIds: string[] }

export const unitNameKey = (name: string): string => normalized(name, 'NFKC').toLowerCase()

/** Far more than any company has; a list stays one reply. */
export const mostUnits = 1000

const withMembers = (db: Db) =>
  db
    .selectFrom('units')
    .selectAll()
    .select(
      sql<string[]>`array(select user_id::text from unit_members where unit_id = units.id order by user_id)`.as(
        'memberIds',
      ),
    )

export const listUnitsUnscoped = (db: Db, organizationId: string, kind: UnitKind): Promise<UnitWithMembers[]> =>
  withMembers(db)
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
    .orderBy('nameKey')
    .limit(mostUnits)
    .execute()

export type GroupHead = Pick<UnitRow, 'id' | 'name' | 'createdAt'> & { memberCount: number }

export const listGroupHeadsUnscoped = (db: Db, organizationId: string): Promise<GroupHead[]> =>
  db
    .selectFrom('units')
    .select(['id', 'name', 'createdAt'])
    .select(sql<number>`(select count(*)::int from unit_members where unit_id = units.id)`.as('memberCount'))
    .where('organizationId', '=', organizationId)
    .where('kind', '=', 'group')
    .orderBy('id')
    .limit(mostUnits)
    .execute()

export const listMembershipsUnscoped = (db: Db, organizationId: string, userIds: readonly string[]) =>
  db
    .selectFrom('unitMembers')
    .innerJoin('units', 'units.id', 'unitMembers.unitId')
    .select(['unitMembers.unitId', 'unitMembers.userId'])
    .where('units.organizationId', '=', organizationId)
    .where('units.kind', '=', 'group')
    .where(isAmong('unitMembers.userId', userIds))
    .execute()

export const listMembersOfUnscoped = async (
  db: Db,
  organizationId: string,
  unitIds: readonly string[],
): Promise<Map<string, string[]>> => {
  const rows = await withMembers(db)
    .where('organizationId', '=', organizationId)
    .where(isAmong('id', unitIds))
    .execute()
  return new Map(rows.map(({ id, memberIds }) => [id, memberIds]))
}

export const listUnits = (db: Db, actor: OrgActor, kind: UnitKind) => listUnitsUnscoped(db, actor.organizationId, kind)

export const findUnit = (db: Db, actor: Pick<Actor, 'organizationId'>, { id, kind }: Pick<UnitRow, 'id' | 'kind'>) =>
  withMembers(db)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('organizationId', '=', actor.organizationId)
    .executeTakeFirst()

/** Two who change one unit do so one after the other. */
export const lockUnit = (db: Db, actor: Pick<Actor, 'organizationId'>, { id, kind }: Pick<UnitRow, 'id' | 'kind'>) =>
  db
    .selectFrom('units')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('organizationId', '=', actor.organizationId)
    .forUpdate()
    .executeTakeFirst()

/** False when the name is taken, in whatever case, also by somebody who takes it at this moment. */
export const insertUnitUnscoped = async (db: Db, unit: UnitRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('units')
    .values(unit)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** By another unit of its kind. The caller holds the organization's lock, so the answer stays true. */
export const isUnitNameTakenUnscoped = async (
  db: Db,
  { id, organizationId, kind }: UnitRow,
  name: string,
): Promise<boolean> =>
  (await db
    .selectFrom('units')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
    .where('nameKey', '=', unitNameKey(name))
    .where('id', '!=', id)
    .executeTakeFirst()) !== undefined

export const renameUnitUnscoped = (db: Db, id: string, name: string) =>
  db
    .updateTable('units')
    .set({ name, nameKey: unitNameKey(name) })
    .where('id', '=', id)
    .execute()

/** Only what differs is written: a directory changes one member of thousands at a time. */
export const replaceUnitMembersUnscoped = async (db: Db, unitId: string, userIds: readonly string[]): Promise<void> => {
  await sql`delete from unit_members where unit_id = ${unitId} and user_id <> all(${userIds}::uuid[])`.execute(db)
  await sql`
    insert into unit_members (unit_id, user_id) select ${unitId}::uuid, unnest(${userIds}::uuid[])
    on conflict do nothing`.execute(db)
}

interface Place {
  organizationId: string
  userId: string
  ids: readonly string[]
}

const groupsAmong = (db: Db, { organizationId, ids }: Place) =>
  db.selectFrom('units').where('organizationId', '=', organizationId).where('kind', '=', 'group').where('id', 'in', ids)

/** Answers the groups that the person was not in. */
export const joinGroupsUnscoped = async (db: Db, place: Place): Promise<string[]> => {
  if (place.ids.length === 0) return []
  const rows = await db
    .insertInto('unitMembers')
    .columns(['unitId', 'userId'])
    .expression(
      groupsAmong(db, place)
        .select(['id', sql<string>`${place.userId}::uuid`.as('userId')])
        .forKeyShare(),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('unitId')
    .execute()
  return rows.map(({ unitId }) => unitId)
}

/** Answers the groups that the person was in. */
export const leaveGroupsUnscoped = async (db: Db, place: Place): Promise<string[]> => {
  if (place.ids.length === 0) return []
  const rows = await db
    .deleteFrom('unitMembers')
    .where('userId', '=', place.userId)
    .where('unitId', 'in', groupsAmong(db, place).select('id'))
    .returning('unitId')
    .execute()
  return rows.map(({ unitId }) => unitId)
}

export const deleteUnitUnscoped = (db: Db, id: string) => db.deleteFrom('units').where('id', '=', id).execute()

export const countUnitsUnscoped = async (db: Db, organizationId: string, kind: UnitKind): Promise<number> => {
  const { count } = await db
    .selectFrom('units')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return count
}

const groupsOfAll = (db: Db) =>
  db
    .selectFrom('units')
    .innerJoin('organizations', 'organizations.id', 'units.organizationId')
    .where('units.kind', '=', 'group')

/** Groups of different organizations may share a name. */
const groupFacts = [
  'units.id',
  'units.name',
  'units.organizationId',
  'units.createdAt',
  'organizations.name as organizationName',
  sql<number>`(select count(*)::int from unit_members where unit_id = units.id)`.as('memberCount'),
] as const

/** By the name of the group or of its organization. */
export const listGroupsUnscoped = (db: Db, filter: Page & { search?: string | undefined }) => {
  const { search } = filter
  const matching = search
    ? groupsOfAll(db).where(hasText(search, { columns: ['units.name', 'organizations.name'] }).byReading)
    : groupsOfAll(db)
  return fetchPage(db, matching, filter, {
    select: (query) => query.select(groupFacts).orderBy('units.nameKey').orderBy('units.id'),
  })
}

export const findGroupUnscoped = (db: Db, id: string) =>
  groupsOfAll(db).select(groupFacts).where('units.id', '=', id).executeTakeFirst()

export type GroupFacts = NonNullable<Awaited<ReturnType<typeof findGroupUnscoped>>>

/** Names and organizations of these groups, the caller has checked who may see them. */
export const listGroupsAmongUnscoped = async (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('units')
        .select(['id', 'name', 'organizationId'])
        .where('kind', '=', 'group')
        .where('id', 'in', ids)
        .execute()

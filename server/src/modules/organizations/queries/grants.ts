/** All SQL for `access_grants`, and for the groups they may name. */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { AccessGrantsTable } from '../tables.ts'

/** One thing that can be granted: a model, a tool server, a collection. */
export interface Resource {
  type: string
  id: string
}

/** Every grant on things of a kind, by the thing's id. For caches that answer many callers from one copy. */
export const listGrantsOfTypeUnscoped = async (db: Db, resourceType: string): Promise<Map<string, AccessGrant[]>> => {
  const rows = await db.selectFrom('accessGrants').selectAll().where('resourceType', '=', resourceType).execute()
  const grants = new Map<string, AccessGrant[]>()
  for (const row of rows) {
    const known = grants.get(row.resourceId)
    if (known) known.push(asGrant(row))
    else grants.set(row.resourceId, [asGrant(row)])
  }
  return grants
}

export const listGrantsUnscoped = async (db: Db, resource: Resource): Promise<AccessGrant[]> => {
  const rows = await db
    .selectFrom('accessGrants')
    .selectAll()
    .where('resourceType', '=', resource.type)
    .where('resourceId', '=', resource.id)
    .orderBy('createdAt')
    .execute()
  return rows.map(asGrant)
}

/** The same for some of them. */
export const listGrantsAmongUnscoped = async (
  db: Db,
  resourceType: string,
  resourceIds: readonly string[],
): Promise<Map<string, AccessGrant[]>> => {
  const grants = new Map<string, AccessGrant[]>(resourceIds.map((id) => [id, []]))
  if (resourceIds.length === 0) return grants
  const rows = await db
    .selectFrom('accessGrants')
    .selectAll()
    .where('resourceType', '=', resourceType)
    .where('resourceId', 'in', resourceIds)
    .orderBy('createdAt')
    .execute()
  for (const row of rows) grants.get(row.resourceId)?.push(asGrant(row))
  return grants
}

/** Resources of a type that were granted to the caller, to one of these groups, or to their organization. */
export const listGrantedIds = async (
  db: Db,
  actor: Pick<Actor, 'id' | 'organizationId'>,
  { resourceType, groups }: { resourceType: string; groups: ReadonlySet<string> },
): Promise<string[]> => {
  const { id, organizationId } = actor
  const rows = await db
    .selectFrom('accessGrants')
    .select('resourceId')
    .distinct()
    .where('resourceType', '=', resourceType)
    .where((where) =>
      where.or([
        where.and({ principalType: 'user', principalId: id }),
        ...(groups.size === 0
          ? []
          : [where.and([where('principalType', '=', 'group'), where('principalId', 'in', [...groups])])]),
        ...(organizationId === null ? [] : [where.and({ principalType: 'organization', principalId: organizationId })]),
      ]),
    )
    .execute()
  return rows.map(({ resourceId }) => resourceId)
}

const asGrant = (row: AccessGrantsTable): AccessGrant => ({
  principal_type: row.principalType,
  principal_id: row.principalId,
  permission: row.permission,
})

export const deleteGrantsUnscoped = (db: Db, { type, id }: Resource) =>
  db.deleteFrom('accessGrants').where('resourceType', '=', type).where('resourceId', '=', id).execute()

export const insertGrantsUnscoped = async (
  db: Db,
  { type, id }: Resource,
  { grants, at }: { grants: readonly AccessGrant[]; at: Date },
): Promise<void> => {
  if (grants.length === 0) return
  const rows = grants.map(({ principal_type, principal_id, permission }) => ({
    resourceType: type,
    resourceId: id,
    principalType: principal_type,
    principalId: principal_id,
    permission,
    createdAt: at,
  }))
  await db
    .insertInto('accessGrants')
    .values(rows)
    // The same grant named twice is one.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes grants to somebody who is no more, on any resource. */
export const deleteGrantsToUnscoped = (db: Db, principalType: AccessGrant['principal_type'], principalId: string) =>
  db
    .deleteFrom('accessGrants')
    .where('principalType', '=', principalType)
    .where('principalId', '=', principalId)
    .execute()

/** The groups of the caller's own organization that the caller is in. */
export const listGroupIds = async (db: Db, actor: Pick<Actor, 'id' | 'organizationId'>): Promise<string[]> => {
  const rows = await db
    .selectFrom('unitMembers')
    .innerJoin('units', 'units.id', 'unitMembers.unitId')
    .select('units.id')
    .where('unitMembers.userId', '=', actor.id)
    .where('units.organizationId', '=', actor.organizationId)
    .where('units.kind', '=', 'group')
    .execute()
  return rows.map(({ id }) => id)
}

/** Which of these are groups of the caller's own organization. */
export const listGroupsAmong = async (db: Db, actor: Actor, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('units')
    .select('id')
    .where('organizationId', '=', actor.organizationId)
    .where('kind', '=', 'group')
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

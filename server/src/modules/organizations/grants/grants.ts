/**
 * Grants on things of the modules above. They keep what the thing is and who owns it; who else may use it is kept here,
 * in one table and under one rule: people can grant within their own organization, platform admins to anybody. What
 * somebody else granted before may stay as it is.
 */
import { can } from '@chancery/contract/abilities.ts'
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { requireVerifiedEmail } from '#kernel/http/gate/verified-email.ts'
import type { OrganizationsContext } from '../context.ts'
import type { OrganizationListener } from '../ports.ts'
import {
  deleteGrantsToUnscoped,
  deleteGrantsUnscoped,
  insertGrantsUnscoped,
  listGrantedIds,
  listGrantsAmongUnscoped,
  listGrantsOfTypeUnscoped,
  listGrantsUnscoped,
  listGroupsAmong,
  type Resource,
} from '../queries/grants.ts'
import { createGroupsOf, type GroupsOf, groupsTopic } from './grants-groups.ts'

export interface Grants {
  groupsOf: GroupsOf
  /** In the caller's transaction. Throws `grant_not_allowed`, `email_not_verified`; whether the actor may change the thing is the caller's to know. */
  replace(tx: Db, actor: Actor, change: { resource: Resource; grants: readonly AccessGrant[] }): Promise<void>
  deleteUnscoped(db: Db, resource: Resource): Promise<unknown>
  /** Every grant on resources of this type, by resource id. */
  listOfTypeUnscoped(db: Db, resourceType: string): Promise<Map<string, AccessGrant[]>>
  /** The grants on these resources, by resource id. */
  listAmongUnscoped(db: Db, resourceType: string, ids: readonly string[]): Promise<Map<string, AccessGrant[]>>
  /** The resources of a type that somebody granted to the caller. */
  listGrantedIds(db: Db, actor: Actor, resourceType: string): Promise<string[]>
}

export const createGrants = (context: OrganizationsContext): Grants => {
  const groupsOf = createGroupsOf(context)
  return {
    groupsOf,
    listAmongUnscoped: listGrantsAmongUnscoped,
    listGrantedIds: async (db, actor, resourceType) =>
      listGrantedIds(db, actor, { resourceType, groups: await groupsOf(actor) }),
    deleteUnscoped: deleteGrantsUnscoped,
    listOfTypeUnscoped: listGrantsOfTypeUnscoped,
    replace: async (tx, actor, { resource, grants }) => {
      const kept = (await listGrantsUnscoped(tx, resource)).map(keyOf)
      const added = grants.filter((grant) => !kept.includes(keyOf(grant)))
      if (added.some((grant) => !isTo(actor, grant))) requireVerifiedEmail(context.config, actor)
      await requireGrantable(context, tx, { actor, grants: added })
      await deleteGrantsUnscoped(tx, resource)
      await insertGrantsUnscoped(tx, resource, { grants, at: context.clock.now() })
    },
  }
}

/** A change to a group counts on every node; what a dissolved one was granted goes with it. */
export const followGroups =
  ({ signals }: Pick<OrganizationsContext, 'signals'>): OrganizationListener =>
  async (tx, event) => {
    if (event.type !== 'group_saved' && event.type !== 'group_deleted') return
    if (event.type === 'group_deleted') await deleteGrantsToUnscoped(tx, 'group', event.unitId)
    await signals.send(tx, groupsTopic, event.organizationId)
  }

const keyOf = (grant: AccessGrant): string => `${grant.principal_type} ${grant.principal_id} ${grant.permission}`

const isTo = ({ id }: Actor, grant: AccessGrant): boolean =>
  grant.principal_type === 'user' && grant.principal_id === id

const requireGrantable = async (
  { accounts }: OrganizationsContext,
  db: Db,
  { actor, grants }: { actor: Actor; grants: readonly AccessGrant[] },
): Promise<void> => {
  if (can(actor, 'use-everything')) return
  const named = (type: AccessGrant['principal_type']) => [
    ...new Set(grants.filter((grant) => grant.principal_type === type).map((grant) => grant.principal_id)),
  ]
  const strangers = named('user').filter((id) => id !== actor.id)
  const groups = named('group')
  const isOwnOrganization = named('organization').every((id) => id === actor.organizationId)
  const [colleagues, ownGroups] = await Promise.all([
    actor.organizationId === null || strangers.length === 0
      ? []
      : accounts.users.listMembersAmongUnscoped(db, actor.organizationId, strangers),
    listGroupsAmong(db, actor, groups),
  ])
  if (!isOwnOrganization || colleagues.length < strangers.length || ownGroups.length < groups.length)
    throw new AppError('grant_not_allowed')
}

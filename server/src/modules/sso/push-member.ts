/**
 * Makes the provider agree with what we know of a member: enabled or not, and in which role. It reads the state when it
 * runs, so any number of changes and retries end in the same state.
 */
import { z } from 'zod'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { OrganizationListener } from '#modules/organizations/index.ts'
import type { SsoContext } from './context.ts'
import { type DirectoryApi, type DirectoryPerson, tenantAttribute } from './directory/api.ts'
import { managedRoles } from './managed-roles.ts'
import { deleteSuspensionUnscoped, findPushUnscoped, markChangedUnscoped, markPushedUnscoped } from './queries.ts'
import { noteChangeHereUnscoped } from './sync/state-queries.ts'

const PushData = z.strictObject({ userId: z.uuid() })

export const pushMemberJob = (context: SsoContext, directory: DirectoryApi): JobDefinition<z.infer<typeof PushData>> =>
  defineJob({
    name: 'sso.push_member',
    data: PushData,
    policy: 'stately',
    retryLimit: 20,
    handle: async ({ userId }) => {
      const { db, clock } = context
      const pending = await findPushUnscoped(db, userId)
      await pushMember(context, directory, userId)
      if (pending) await markPushedUnscoped(db, { userId, changedAt: pending.changedAt, pushedAt: clock.now() })
    },
  })

const pushMember = async (context: SsoContext, directory: DirectoryApi, userId: string): Promise<void> => {
  const { db } = context
  const user = await context.accounts.users.findByIdUnscoped(db, userId)
  const organization = user?.organizationId
    ? await context.organizations.findUnscoped(db, user.organizationId)
    : undefined
  if (!user || organization?.authProvider !== 'SSO') return
  const person = await findPerson(context, directory, user)
  if (person && (await claim(context, directory, { user, person }))) await push(directory, user, person)
}

const findPerson = async ({ accounts, settings, db }: SsoContext, directory: DirectoryApi, user: UserRow) => {
  const [identity] = await accounts.identities.listUnscoped(db, settings.issuer, [user.id])
  return identity ? directory.find(identity.subject) : directory.findByEmail(user.email)
}

/**
 * True when the person there belongs to this company. Somebody who came in by the company's own mail domain is marked
 * as such; anybody else without the mark, or with another's, is not ours to change.
 */
const claim = async (
  { db, organizations }: SsoContext,
  directory: DirectoryApi,
  { user, person }: { user: UserRow; person: DirectoryPerson },
): Promise<boolean> => {
  const owners = person.attributes?.[tenantAttribute] ?? []
  if (owners.length > 0) return owners.includes(user.organizationId ?? '')
  const email = person.emailVerified ? (person.email ?? '') : ''
  const owner = await organizations.findByAddressUnscoped(db, email)
  if (!owner || owner.id !== user.organizationId) return false
  await directory.update(person.id, { attributes: { ...person.attributes, [tenantAttribute]: [owner.id] } })
  return true
}

const push = async (directory: DirectoryApi, user: UserRow, person: DirectoryPerson): Promise<void> => {
  const enabled = user.status === 'ACTIVE'
  if (person.enabled !== enabled) await directory.update(person.id, { enabled })
  if (!enabled) await directory.logOut(person.id)
  else await directory.setRole(person.id, user.role, managedRoles)
}

type PushJob = ReturnType<typeof pushMemberJob>

/** The note and the job stand or fall with the change itself. */
export const createRequestPush =
  ({ clock, jobs }: Pick<SsoContext, 'clock' | 'jobs'>, job: PushJob): SsoContext['requestPush'] =>
  async (tx, userId) => {
    await markChangedUnscoped(tx, userId, clock.now())
    await jobs.enqueue(tx, job, { userId }, { singletonKey: userId })
  }

const pushed = new Set(['member_added', 'member_role_changed', 'member_deactivated', 'member_reactivated'])

/** Part of the change's transaction. A decision by hand also ends what the sync decided. */
export const pushOnChange =
  (context: SsoContext): OrganizationListener =>
  async (tx, event) => {
    if (!('userId' in event) || !pushed.has(event.type)) return
    await deleteSuspensionUnscoped(tx, event.userId)
    const organization = await context.organizations.findUnscoped(tx, event.organizationId)
    if (organization?.authProvider !== 'SSO') return
    await context.requestPush(tx, event.userId)
    await noteChangeHereUnscoped(tx, organization.id)
  }

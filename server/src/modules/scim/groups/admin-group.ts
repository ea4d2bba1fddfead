/**
 * The members of one group are administrators. Whoever joins it becomes one, whoever leaves it stops being one; others,
 * such as founders, keep their role. Safe to repeat: it compares the group as it is with whom it made administrators.
 */
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { OrganizationListener } from '#modules/organizations/index.ts'
import type { ScimContext } from '../context.ts'
import { deleteAdminsByGroup, insertAdminByGroup, listAdminsByGroup } from '../queries/groups.ts'
import { findSettings } from '../queries/settings.ts'

const Data = z.strictObject({ organizationId: z.uuid() })
export type AdminGroupJob = JobDefinition<z.infer<typeof Data>>

export const adminGroupJob = (context: ScimContext): AdminGroupJob =>
  defineJob({
    name: 'scim.apply_admin_group',
    data: Data,
    policy: 'stately',
    retryLimit: 20,
    handle: (data) => applyAdminGroup(context, data),
  })

/** Part of the change's transaction: nobody leaves the group without the job that takes the role. */
export const watchAdminGroup =
  ({ jobs }: ScimContext, job: AdminGroupJob): OrganizationListener =>
  async (tx, { type, organizationId }) => {
    if (type !== 'group_saved' && type !== 'group_deleted') return
    if (await concernsRoles(tx, organizationId))
      await jobs.enqueue(tx, job, { organizationId }, { singletonKey: organizationId })
  }

const concernsRoles = async (tx: Parameters<typeof findSettings>[0], organizationId: string): Promise<boolean> =>
  Boolean((await findSettings(tx, { organizationId }))?.adminGroupId) ||
  (await listAdminsByGroup(tx, { organizationId })).length > 0

const applyAdminGroup = async (context: ScimContext, whose: { organizationId: string }): Promise<void> => {
  const { db, organizations } = context
  const { organizationId } = whose
  const group = (await findSettings(db, whose))?.adminGroupId ?? undefined
  const members = group && (await organizations.units.listMembersOfUnscoped(db, organizationId, [group])).get(group)
  const wanted = new Set(members || [])
  const made = await listAdminsByGroup(db, whose)
  for (const userId of wanted) await promote(context, { organizationId, userId })
  for (const userId of made) if (!wanted.has(userId)) await demote(context, { organizationId, userId })
}

interface Whose {
  organizationId: string
  userId: string
}

const action = 'scim.change_role'

const promote = (context: ScimContext, { organizationId, userId }: Whose): Promise<void> =>
  context.accounts.changePrincipal(userId, async (tx) => {
    const user = await context.accounts.users.findByIdUnscoped(tx, userId)
    if (user?.organizationId !== organizationId || user.role === 'ROLE_ORG_ADMIN') return
    const change = { role: 'ROLE_ORG_ADMIN' } as const
    await context.organizations.directory.editUnscoped(tx, { organizationId, userId, change, action })
    await insertAdminByGroup(tx, { organizationId }, { userId, at: context.clock.now() })
  })

/** The last administrator keeps the role, whatever the directory says: somebody must be able to mend it. */
const demote = async (context: ScimContext, { organizationId, userId }: Whose): Promise<void> => {
  const { accounts, organizations, log } = context
  try {
    await accounts.changePrincipal(userId, async (tx) => {
      const user = await accounts.users.findByIdUnscoped(tx, userId)
      const change = { role: 'ROLE_USER' } as const
      if (user?.organizationId === organizationId && user.role === 'ROLE_ORG_ADMIN')
        await organizations.directory.editUnscoped(tx, { organizationId, userId, change, action })
      await deleteAdminsByGroup(tx, { organizationId }, [userId])
    })
  } catch (problem) {
    if (!(problem instanceof AppError) || problem.code !== 'last_admin') throw problem
    log.warn({ organizationId, userId }, 'scim: the last administrator keeps the role')
  }
}

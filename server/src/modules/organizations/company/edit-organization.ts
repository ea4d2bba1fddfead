/** A platform admin edits an organization: plan, limits, trial, login, mail domains, and whether it is open at all. */
import type { OrganizationPatch } from '@chancery/contract/platform/platform.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { OrganizationsContext } from '../context.ts'
import { lockOrganization } from '../plan/seats.ts'
import { replaceDomainsUnscoped } from '../queries/domains.ts'
import { type OrganizationRow, updateOrganizationUnscoped } from '../queries/organizations.ts'
import { requireCompanyLogin } from './company-login.ts'

type Patch = z.infer<typeof OrganizationPatch>

export interface EditRequest {
  organizationId: string
  patch: Patch
  from: Origin
}

/** Sent to every node when something changed that its people's cached actors hold: open or closed, plan, login. */
export const standingTopic = 'organization-standing'

export const editOrganizationUnscoped = async (
  context: OrganizationsContext,
  actor: Actor,
  { organizationId, patch, from }: EditRequest,
): Promise<OrganizationRow> => {
  const { db, audit, accounts, clock, signals } = context
  const edited = await db.transaction().execute(async (tx) => {
    const before = await lockOrganization(tx, organizationId)
    if (Object.keys(patch).length === 0) return before
    const opensSso = patch.authProvider === 'SSO' && before.authProvider === 'NATIVE'
    if (opensSso) await requireCompanyLogin(context, tx, organizationId)

    const change = columnsOf(patch)
    if (Object.keys(change).length > 0) await updateOrganizationUnscoped(tx, organizationId, change)
    if (opensSso) await accounts.sessions.revokePasswordSessionsUnscoped(tx, organizationId, { at: clock.now() })
    if (patch.domains) await claimDomains(context, tx, { organizationId, domains: patch.domains })
    // Sessions end permanently; keys and logins work again once the organization is open.
    if (patch.active === false && before.active)
      await accounts.sessions.revokeOfMembersUnscoped(tx, organizationId, clock.now())
    const target = { kind: 'organization', id: organizationId }
    const action = { action: 'platform.edit_organization', by: actor, from, target, organizationId, detail: patch }
    await audit.record(tx, action)
    await signals.send(tx, standingTopic, organizationId)
    return { ...before, ...change }
  })
  accounts.forgetActors()
  return edited
}

const columnsOf = ({ plan, trialEndsAt, limits, authProvider, active }: Patch): Partial<OrganizationRow> => ({
  ...(plan !== undefined && { plan }),
  ...(trialEndsAt !== undefined && { trialEndsAt: trialEndsAt === null ? null : new Date(trialEndsAt) }),
  ...(limits?.members !== undefined && { maxMembers: limits.members }),
  ...(limits?.documentsPerMonth !== undefined && { maxDocumentsPerMonth: limits.documentsPerMonth }),
  ...(limits?.storageBytes !== undefined && { maxStorageBytes: limits.storageBytes }),
  ...(authProvider !== undefined && { authProvider }),
  ...(active !== undefined && { active }),
})

const claimDomains = async (
  { clock }: OrganizationsContext,
  tx: Db,
  { organizationId, domains }: { organizationId: string; domains: readonly string[] },
): Promise<void> => {
  const claimed = await replaceDomainsUnscoped(tx, { organizationId, domains, at: clock.now() })
  if (claimed < new Set(domains).size) throw new AppError('domain_taken')
}

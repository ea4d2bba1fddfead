/** An administrator changes what the organization is called, how its people sign in and what they may publish. */
import type { OrgSettingsPatch } from '@chancery/contract/organizations/team.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationsContext } from '../context.ts'
import { lockOrganization } from '../plan/seats.ts'
import { requireRunning } from '../plan/trial.ts'
import { listDomainsUnscoped } from '../queries/domains.ts'
import { type OrganizationRow, updateOrganizationUnscoped } from '../queries/organizations.ts'
import { requireCompanyLogin } from './company-login.ts'
import { standingTopic } from './edit-organization.ts'

type Patch = z.infer<typeof OrgSettingsPatch>

export const changeSettings = async (
  context: OrganizationsContext,
  actor: OrgActor,
  { patch, from }: { patch: Patch; from: Origin },
): Promise<OrganizationRow> => {
  const saved = await context.db.transaction().execute(async (tx) => {
    const { announce, audit, clock } = context
    const before = await lockOrganization(tx, actor.organizationId)
    const change = changesTo(before, patch)
    if (Object.keys(change).length === 0) return before
    requireRunning(before, clock.now())
    if (change.factorPolicy === 'phishing_resistant' && !context.accounts.logins.canHavePasskeys())
      throw new AppError('passkeys_unavailable')
    if (change.authProvider === 'SSO') await requireCompanyLogin(context, tx, before.id)
    if (change.authProvider === 'SSO' && (await listDomainsUnscoped(tx, before.id)).length === 0)
      throw new AppError('domain_required')

    await updateOrganizationUnscoped(tx, before.id, change)
    if (change.authProvider === 'SSO') await endPasswordSessions(context, tx, actor)
    const target = { kind: 'organization', id: before.id }
    await audit.record(tx, { action: 'organization.settings', by: actor, from, target, detail: { ...change } })
    if (change.name !== undefined) await announce(tx, { type: 'organization_renamed', organizationId: before.id })
    return { ...before, ...change }
  })
  if (patch.authProvider === 'SSO') context.accounts.forgetActors()
  return saved
}

/**
 * From now on people sign in elsewhere, so sessions that a password opened end. The administrator's own stays, or a
 * mistake at the provider could not be undone.
 */
const endPasswordSessions = async ({ accounts, clock, signals }: OrganizationsContext, tx: Db, actor: OrgActor) => {
  const except = actor.credential.kind === 'session' ? actor.credential.id : undefined
  await accounts.sessions.revokePasswordSessionsUnscoped(tx, actor.organizationId, { at: clock.now(), except })
  await signals.send(tx, standingTopic, actor.organizationId)
}

/** Only what differs, so that saving a form unchanged leaves no trace. */
const changesTo = (before: OrganizationRow, patch: Patch) => ({
  ...signInChanges(before, patch),
  ...otherChanges(before, patch),
})

const signInChanges = (before: OrganizationRow, { factorPolicy, factorPolicyFrom, remembersBrowsers }: Patch) => {
  const from = typeof factorPolicyFrom === 'string' ? new Date(factorPolicyFrom) : factorPolicyFrom
  return {
    ...(factorPolicy !== undefined && factorPolicy !== before.factorPolicy && { factorPolicy }),
    ...(from !== undefined && from?.getTime() !== before.factorPolicyFrom?.getTime() && { factorPolicyFrom: from }),
    ...(remembersBrowsers !== undefined && remembersBrowsers !== before.remembersBrowsers && { remembersBrowsers }),
  }
}

const otherChanges = (before: OrganizationRow, { name, loginOtp, publicChatLinks, authProvider }: Patch) => ({
  ...(name !== undefined && name !== before.name && { name }),
  ...(loginOtp !== undefined && loginOtp !== before.loginOtp && { loginOtp }),
  ...(publicChatLinks !== undefined && publicChatLinks !== before.publicChatLinks && { publicChatLinks }),
  ...(authProvider !== undefined && authProvider !== before.authProvider && { authProvider }),
})

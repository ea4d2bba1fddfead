/** An administrator changes what the organization is called and how its people sign in. */
import type { OrgSettingsPatch } from '@chancery/contract/team.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationsContext } from './context.ts'
import { type OrganizationRow, updateOrganizationUnscoped } from './queries/organizations.ts'
import { lockOrganization } from './seats.ts'
import { requireRunning } from './trial.ts'

type Patch = z.infer<typeof OrgSettingsPatch>

export const changeSettings = (
  { accounts, announce, isSsoAvailable, audit, clock, db }: OrganizationsContext,
  actor: OrgActor,
  { patch, from }: { patch: Patch; from: Origin },
): Promise<OrganizationRow> =>
  db.transaction().execute(async (tx) => {
    const before = await lockOrganization(tx, actor.organizationId)
    const change = changesTo(before, patch)
    if (Object.keys(change).length === 0) return before
    requireRunning(before, clock.now())
    if (change.authProvider === 'SSO' && !isSsoAvailable()) throw new AppError('sso_not_configured')

    await updateOrganizationUnscoped(tx, before.id, change)
    const target = { kind: 'organization', id: before.id }
    await audit.record(tx, { action: 'organization.settings', by: actor, from, target, detail: { ...change } })
    if (change.name !== undefined) await announce(tx, { type: 'organization_renamed', organizationId: before.id })
    return { ...before, ...change }
  })

/** Only what differs, so that saving a form unchanged leaves no trace. */
const changesTo = (before: OrganizationRow, { name, loginOtp, authProvider }: Patch) => ({
  ...(name !== undefined && name !== before.name && { name }),
  ...(loginOtp !== undefined && loginOtp !== before.loginOtp && { loginOtp }),
  ...(authProvider !== undefined && authProvider !== before.authProvider && { authProvider }),
})

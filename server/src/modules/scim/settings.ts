/** What an organization's administrators see and decide of its directory. */
import type { ScimSettings } from '@chancery/contract/organizations/scim.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { ScimContext } from './context.ts'
import type { AdminGroupJob } from './groups/admin-group.ts'
import { allowedMs } from './people/deactivation-guard.ts'
import { countLinked, findSettings, saveSettings } from './queries/settings.ts'

export const baseOf = ({ externalUrl }: Pick<ScimContext, 'externalUrl'>): string => `${externalUrl}/scim/v2`

export const readSettings = async (context: ScimContext, actor: OrgActor): Promise<ScimSettings> => {
  const { db, clock } = context
  const [row, linked] = [await findSettings(db, actor), await countLinked(db, actor)]
  const { adminGroupId, heldAt, allowedUntil, refusedAt, refusedCall, refusal } = row ?? {}
  const isAllowed = allowedUntil ? allowedUntil > clock.now() : false
  return {
    url: baseOf(context),
    ...linked,
    adminGroup: adminGroupId ?? null,
    held: heldAt?.toISOString() ?? null,
    allowedUntil: isAllowed ? (allowedUntil?.toISOString() ?? null) : null,
    lastRefusal: refusedAt ? { at: refusedAt.toISOString(), call: refusedCall ?? '', why: refusal ?? '' } : null,
  }
}

interface AdminGroup {
  adminGroup: string | null
  from: Origin
  job: AdminGroupJob
}

export const setAdminGroup = async (
  { db, audit, jobs, organizations }: ScimContext,
  actor: OrgActor,
  { adminGroup, from, job }: AdminGroup,
): Promise<void> => {
  const { organizationId } = actor
  const group = adminGroup === null ? undefined : await organizations.units.findGroupUnscoped(db, adminGroup)
  if (adminGroup !== null && group?.organizationId !== organizationId) throw new AppError('unit_not_found')
  await db.transaction().execute(async (tx) => {
    await saveSettings(tx, actor, { adminGroupId: adminGroup })
    const detail = { adminGroup, ...(group && { name: group.name }) }
    await audit.record(tx, { action: 'scim.set_admin_group', by: actor, from, detail })
    await jobs.enqueue(tx, job, { organizationId }, { singletonKey: organizationId })
  })
}

/** For an hour. */
export const allowDeactivations = (
  { db, clock, audit }: ScimContext,
  actor: OrgActor,
  { from }: { from: Origin },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const allowedUntil = new Date(clock.now().getTime() + allowedMs)
    await saveSettings(tx, actor, { heldAt: null, allowedUntil })
    await audit.record(tx, { action: 'scim.allow_deactivations', by: actor, from, detail: { until: allowedUntil } })
  })

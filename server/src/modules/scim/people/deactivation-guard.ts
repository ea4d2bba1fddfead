/**
 * A directory that deactivates many people within an hour has more likely lost them than dismissed them. It is refused
 * until an administrator allows it, as a pass of the directory sync is.
 */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { isMassRemoval } from '#modules/organizations/index.ts'
import type { Directory, ScimContext } from '../context.ts'
import { countForGuard } from '../queries/people.ts'
import { findSettings, holdDeactivations } from '../queries/settings.ts'

const windowMs = 3_600_000
export const allowedMs = 3_600_000

/** The caller holds the administrators' rows, so deactivations of one organization are counted one after the other. */
export const requireFewDeactivations = async (
  { clock }: Pick<ScimContext, 'clock'>,
  tx: Db,
  directory: Directory,
): Promise<void> => {
  const now = clock.now()
  const settings = await findSettings(tx, directory)
  if (settings?.allowedUntil && settings.allowedUntil > now) return
  const { active, deactivated } = await countForGuard(tx, directory, new Date(now.getTime() - windowMs))
  if (isMassRemoval(deactivated + 1, active + deactivated)) throw new AppError('deactivations_held')
}

/** Said once, not for each of the people: the directory keeps trying. */
export const noteHeld = ({ db, clock, audit }: ScimContext, { organizationId }: Directory): Promise<void> =>
  db.transaction().execute(async (tx) => {
    if (!(await holdDeactivations(tx, { organizationId }, clock.now()))) return
    await audit.record(tx, { action: 'scim.hold_deactivations', by: 'system', organizationId })
  })

/** An expired trial turns read-only: nothing is deleted, people still sign in and read. */
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { findOwnOrganization, type OrganizationRow } from './queries/organizations.ts'

export const trialPlan = 'TRIAL'

/** An organization on another plan has no trial that could end, whatever date it still carries. */
const hasEnded = ({ plan, trialEndsAt }: OrganizationRow, now: Date): boolean =>
  plan === trialPlan && trialEndsAt !== null && trialEndsAt <= now

export const requireRunning = (organization: OrganizationRow, now: Date): void => {
  if (hasEnded(organization, now)) throw new AppError('trial_expired')
}

/** Call before anything of an organization is written. A person without one has no trial. */
export const requireWritable = async (
  { clock }: { clock: Clock },
  db: Db,
  actor: Pick<Actor, 'organizationId'>,
): Promise<void> => {
  if (actor.organizationId === null) return
  const organization = await findOwnOrganization(db, actor)
  if (organization) requireRunning(organization, clock.now())
}

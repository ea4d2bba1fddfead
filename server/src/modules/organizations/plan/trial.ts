/** An expired trial turns read-only: nothing is deleted, people still sign in and read. */
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { findOwnOrganization, type Standing } from '../queries/organizations.ts'

export const trialPlan = 'TRIAL'

/** Null where no trial can end: on another plan, whatever date it still carries. */
export const readOnlyFrom = ({ plan, trialEndsAt }: Pick<Standing, 'plan' | 'trialEndsAt'>): Date | null =>
  plan === trialPlan ? trialEndsAt : null

export const isReadOnly = (organization: Standing, now: Date): boolean => {
  const end = readOnlyFrom(organization)
  return end !== null && end <= now
}

export const requireRunning = (organization: Standing, now: Date): void => {
  if (isReadOnly(organization, now)) throw new AppError('trial_expired')
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

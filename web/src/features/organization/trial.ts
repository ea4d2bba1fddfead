/** The state of a plan's trial. Only the trial plan has one, even if another plan still has an end date. Pure. */
import type { Organization } from '@chancery/contract/organizations/organizations.ts'

export type Trial = { state: 'none' } | { state: 'running'; daysLeft: number } | { state: 'ended' }

const dayMs = 86_400_000

export function trialOf({ name, trialEndsAt }: Pick<Organization['plan'], 'name' | 'trialEndsAt'>, now: Date): Trial {
  if (name !== 'TRIAL' || trialEndsAt === null) return { state: 'none' }
  const leftMs = new Date(trialEndsAt).getTime() - now.getTime()
  return leftMs <= 0 ? { state: 'ended' } : { state: 'running', daysLeft: Math.ceil(leftMs / dayMs) }
}

/** After the trial, the organization is read-only. */
export const isReadOnly = ({ plan }: Pick<Organization, 'plan'>, now = new Date()): boolean =>
  trialOf(plan, now).state === 'ended'

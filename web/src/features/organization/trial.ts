/** Pure. How a plan's trial stands. Only the trial plan has one, whatever date another plan still carries. */
import type { Organization } from '@chancery/contract/organizations.ts'

export type Trial = { state: 'none' } | { state: 'running'; daysLeft: number } | { state: 'ended' }

const dayMs = 86_400_000

export function trialOf({ name, trialEndsAt }: Pick<Organization['plan'], 'name' | 'trialEndsAt'>, now: Date): Trial {
  if (name !== 'TRIAL' || trialEndsAt === null) return { state: 'none' }
  const leftMs = new Date(trialEndsAt).getTime() - now.getTime()
  return leftMs <= 0 ? { state: 'ended' } : { state: 'running', daysLeft: Math.ceil(leftMs / dayMs) }
}

/** After the trial everything can be read and nothing changed. */
export const isReadOnly = ({ plan }: Pick<Organization, 'plan'>, now = new Date()): boolean =>
  trialOf(plan, now).state === 'ended'

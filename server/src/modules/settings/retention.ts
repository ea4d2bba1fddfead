/** Retention: for how many days a kind of record is kept, as the platform admin has set it. */
import { z } from 'zod'
import type { Registry } from './registry.ts'

const dayMs = 86_400_000

export interface RetentionRule {
  /** In the plural, as in "… older than this are deleted". */
  what: string
  /** In days; 0 is forever. */
  howLong: number
  /** The key of the setting. */
  setting: string
}

export interface Retention {
  /** In force now; 0 is forever. */
  days(): number
  /** What is older may go; undefined while everything is kept. */
  before(now: Date): Date | undefined
}

export const declareRetention = (
  { register }: { register: Registry['register'] },
  { what, howLong, setting }: RetentionRule,
): Retention => {
  const days = register<number>({
    key: setting,
    type: 'number',
    sentence: `${what.charAt(0).toUpperCase()}${what.slice(1)} older than this are deleted. 0 keeps them forever.`,
    schema: z.int().min(0).max(36_500),
    environment: undefined,
    fallback: howLong,
  })
  return {
    days,
    before: (now) => (days() === 0 ? undefined : new Date(now.getTime() - days() * dayMs)),
  }
}

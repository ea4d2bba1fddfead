/** Words for quotas: what is counted, and how much of it. Pure. */
import type { QuotaUse } from '@chancery/contract/organizations/quotas.ts'

const figures = new Intl.NumberFormat('en')

const spans: Readonly<Record<number, string>> = { 60: 'a minute', 3600: 'an hour', 86400: 'a day' }

/** `emails in an hour` → `Emails in an hour`. */
export function quotaTitle({ what, kind, windowSec }: Pick<QuotaUse, 'what' | 'kind' | 'windowSec'>): string {
  const span = kind === 'rate' && windowSec !== null ? ` in ${spans[windowSec] ?? `${windowSec} seconds`}` : ''
  return what.charAt(0).toUpperCase() + what.slice(1) + span
}

export const limitWords = (most: number): string => (most === 0 ? 'No limit' : figures.format(most))

export const usedWords = ({ used }: Pick<QuotaUse, 'used'>): string => (used === null ? '–' : figures.format(used))

export const isNearLimit = ({ used, most }: Pick<QuotaUse, 'used' | 'most'>): boolean =>
  used !== null && most > 0 && used >= most * 0.9

const sources = { default: 'Usual', plan: 'From the plan', scope: 'Set for this organization' } as const

export const sourceWords = ({ source }: Pick<QuotaUse, 'source'>): string => sources[source]

/** The changes of a form of quotas: only what was edited, so two admins don't overwrite each other. Pure. */
import type { QuotaUse } from '@chancery/contract/organizations/quotas.ts'
import type { Fields } from '#lib/form/form.ts'

type Shown = Pick<QuotaUse, 'name' | 'most' | 'source'>

/** Whose limits the form sets: one organization's, or a plan's. */
export type Level = Extract<QuotaUse['source'], 'scope' | 'plan'>

/** Empty where the usual limit applies. */
export const quotaField = ({ most, source }: Shown, level: Level): string => (source === level ? String(most) : '')

/** What isn't a number is left for the schema to refuse. */
const limitOf = (text: string): number | null => (text === '' ? null : Number(text.replaceAll(',', '')))

export const quotaChanges = (fields: Fields, items: readonly Shown[], level: Level): Record<string, number | null> =>
  Object.fromEntries(
    items.flatMap((quota) => {
      const text = (fields[quota.name] ?? '').trim()
      return text === quotaField(quota, level) ? [] : [[quota.name, limitOf(text)]]
    }),
  )

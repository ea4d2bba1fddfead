/** Labels for limits, and the request body of the form. */
import type { UsageLimit } from '@chancery/contract/models/usage.ts'
import type { Fields } from '#lib/form/form.ts'

export type SubjectType = UsageLimit['subject_type']

export const subjectLabels: Record<SubjectType, string> = {
  everyone: 'Everyone (per person)',
  user: 'A person',
  group: 'A group (per person)',
  organization: 'An organization (in total)',
  key: 'An API key',
}

export const subjectName = ({ subject_type, subject_name, subject_id }: UsageLimit): string => {
  if (subject_type === 'everyone') return 'Everyone'
  return subject_name ?? `${subjectLabels[subject_type]} (${subject_id?.slice(0, 8)})`
}

export const caps = [
  { name: 'requests_per_minute', label: 'Requests per minute' },
  { name: 'tokens_per_day', label: 'Tokens per day' },
  { name: 'tokens_per_month', label: 'Tokens per month' },
] as const

/** Thousands separators are removed; anything else that isn't a number is left to the schema. */
function capOf(text = ''): number | string | null {
  const plain = text.replace(/[\s,_']/g, '')
  if (plain === '') return null
  return Number.isNaN(Number(plain)) ? text : Number(plain)
}

export const capsOf = (fields: Fields) => Object.fromEntries(caps.map(({ name }) => [name, capOf(fields[name])]))

export const subjectOf = ({ type, id }: { type: SubjectType; id: string | undefined }) => ({
  subject_type: type,
  subject_id: id ?? null,
})

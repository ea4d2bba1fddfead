/** Limits in words, and from the form to the body of the call. */
import type { UsageLimit } from '@chancery/contract/usage.ts'
import type { Fields } from '#lib/form.ts'

export type SubjectType = UsageLimit['subject_type']

export const subjectWords: Record<SubjectType, string> = {
  everyone: 'Everyone, each on their own',
  user: 'A person',
  group: 'Each person of a group',
  organization: 'An organization as a whole',
  key: 'An API key',
}

export const subjectName = ({ subject_type, subject_name, subject_id }: UsageLimit): string => {
  if (subject_type === 'everyone') return 'Everyone'
  return subject_name ?? `${subjectWords[subject_type]} (${subject_id?.slice(0, 8)})`
}

export const caps = [
  { name: 'requests_per_minute', label: 'Requests a minute' },
  { name: 'tokens_per_day', label: 'Tokens a day' },
  { name: 'tokens_per_month', label: 'Tokens a month' },
] as const

/** People part thousands; what is no number after that is for the schema to judge. */
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

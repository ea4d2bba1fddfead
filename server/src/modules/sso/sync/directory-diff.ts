/** Pure. What a complete pass over the provider's directory means for one organization. */
import { EmailAddress, PersonName } from '@chancery/contract/text.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import { isMassRemoval } from '#modules/organizations/index.ts'

/** Somebody the directory has, with what we read of it. */
export interface SeenPerson {
  subject: string
  email: string | undefined
  isVerified: boolean
  name: string | undefined
  /** Undefined: the directory says nothing about it. */
  role: UserRow['role'] | undefined
  enabled: boolean
}

/** Somebody we have. */
export interface KnownPerson extends Pick<UserRow, 'id' | 'email' | 'name' | 'role' | 'status'> {
  /** Their subject at the provider; undefined for people who never came from there. */
  subject: string | undefined
  /** An earlier pass deactivated them, not a person. */
  isSuspended: boolean
  /** A change of ours is on its way there: what the directory says of their role and status is old. */
  isChanging: boolean
}

export type Change = Partial<Pick<UserRow, 'email' | 'name' | 'role'>>

export interface Plan {
  add: (SeenPerson & { email: string })[]
  link: { userId: string; subject: string }[]
  update: { userId: string; change: Change }[]
  /** Disabled there, or gone. */
  deactivate: { userId: string; isGone: boolean }[]
  reactivate: string[]
}

export const diffDirectory = (seen: readonly SeenPerson[], known: readonly KnownPerson[]): Plan => {
  const bySubject = new Map(known.flatMap((person) => (person.subject ? [[person.subject, person] as const] : [])))
  const unlinked = new Map(known.flatMap((person) => (person.subject ? [] : [[person.email, person] as const])))
  const plan: Plan = { add: [], link: [], update: [], deactivate: [], reactivate: [] }
  for (const person of seen) compare(plan, person, bySubject.get(person.subject) ?? matchByAddress(unlinked, person))
  const present = new Set(seen.map(({ subject }) => subject))
  for (const { id, subject, status, isChanging } of bySubject.values())
    if (status === 'ACTIVE' && !isChanging && subject !== undefined && !present.has(subject))
      plan.deactivate.push({ userId: id, isGone: true })
  return plan
}

/**
 * Then nothing may be applied. People who never came from there (founders, say) are not the directory's to remove, so they
 * do not count.
 */
export const isRefusedRemoval = (removed: number, known: readonly KnownPerson[]): boolean =>
  isMassRemoval(removed, known.filter(({ subject, status }) => subject !== undefined && status === 'ACTIVE').length)

const matchByAddress = (unlinked: Map<string, KnownPerson>, { email, isVerified }: SeenPerson) =>
  email !== undefined && isVerified ? unlinked.get(email) : undefined

const compare = (plan: Plan, person: SeenPerson, match: KnownPerson | undefined): void => {
  const { email, subject, enabled } = person
  if (!match) {
    if (enabled && email !== undefined) plan.add.push({ ...person, email })
    return
  }
  if (match.subject === undefined) plan.link.push({ userId: match.id, subject })
  if (match.isChanging) return
  if (!enabled && match.status === 'ACTIVE') plan.deactivate.push({ userId: match.id, isGone: false })
  if (enabled && match.status === 'DEACTIVATED' && match.isSuspended) plan.reactivate.push(match.id)
  const change = changesTo(match, person)
  if (enabled && Object.keys(change).length > 0) plan.update.push({ userId: match.id, change })
}

/**
 * Only a verified address replaces one: it is what people are found by. Of somebody who is met there for the first time
 * our role is the right one; it is sent to the directory, not taken from it.
 */
const changesTo = (match: KnownPerson, { email, isVerified, name, role }: SeenPerson): Change => ({
  ...(isVerified && email !== undefined && email !== match.email && { email }),
  ...(name !== undefined && name !== match.name && { name }),
  ...(match.subject !== undefined && role !== undefined && role !== match.role && { role }),
})

/** The directory may send anything; a value that does not fit counts as missing. */
export const readAddress = (given: string | undefined): string | undefined => EmailAddress.safeParse(given).data
export const readName = (...parts: (string | undefined)[]): string | undefined =>
  PersonName.safeParse(parts.filter(Boolean).join(' ')).data

/**
 * For whom a run acts. A run that somebody started by hand acts for that person and stops when they are deactivated. A
 * triggered run acts for the member its workflow names, and otherwise for the workflow's owner, so that nobody's leaving
 * stops it. Pure.
 */
import type { RunHead } from './node-interface.ts'

export type ActingRun = Pick<RunHead, 'userId' | 'scopeId' | 'triggerKind'>

interface Person {
  id: string
  status: string
  organizationId: string | null
}

interface Organization {
  id: string
  active: boolean
}

/** Those of them that exist: the member the run names, its scope as an organization, and its scope as a person. */
export interface Known<Found extends Person, Owner extends Organization> {
  member: Found | undefined
  organization: Owner | undefined
  owner: Found | undefined
}

export type Acting<Found, Owner> = { person: Found } | { organization: Owner }

/** Undefined when the person or the organization behind the run is not active. */
export const actingFor = <Found extends Person, Owner extends Organization>(
  { triggerKind, scopeId }: ActingRun,
  { member, organization, owner }: Known<Found, Owner>,
): Acting<Found, Owner> | undefined => {
  const isActive = (person: Found | undefined): person is Found =>
    person?.status === 'ACTIVE' &&
    (person.organizationId ?? person.id) === scopeId &&
    (person.organizationId === null || organization?.active === true)
  if (isActive(member)) return { person: member }
  if (triggerKind === 'manual') return undefined
  if (organization) return organization.active ? { organization } : undefined
  return isActive(owner) ? { person: owner } : undefined
}

/** The reviewers of a scope: they publish, answer approvals that name nobody, and test with effects. Pure. */

interface Person {
  organizationId: string | null
  role: string
}

/** Organization admins review; people without an organization review their own workflows. */
export const isReviewer = ({ organizationId, role }: Person): boolean =>
  organizationId === null || role === 'ROLE_ORG_ADMIN'

/** A test with effects does what a published workflow does, with the scope's credentials, on a graph nobody reviewed. */
export const canTestWithEffects = (person: Person): boolean => isReviewer(person)

/** Who may do what. Server and web ask here, so that a button is shown exactly to those whom the server lets. */
import type { Role } from './accounts/accounts.ts'

/** `alone`: a person without an organization, who decides for themselves. */
export type Standing = 'member' | 'orgAdmin' | 'alone' | 'platform'

const abilities = {
  'manage-organization': ['orgAdmin'],
  'manage-members': ['orgAdmin'],
  'manage-platform': ['platform'],
  'read-metrics': ['platform'],

  'see-all-documents': ['orgAdmin'],
  'set-signing-assistant': ['orgAdmin', 'alone'],
  'manage-webhooks': ['orgAdmin', 'alone'],
  'handle-dead-letters': ['orgAdmin', 'alone', 'platform'],
  'see-all-dead-letters': ['platform'],
  'review-workflows': ['orgAdmin', 'alone', 'platform'],
  'answer-any-approval': ['orgAdmin', 'alone', 'platform'],
  /** What a published workflow does, with the scope's credentials, on a graph nobody reviewed. */
  'test-with-effects': ['orgAdmin', 'alone', 'platform'],
  'see-all-spaces': ['orgAdmin', 'alone', 'platform'],

  'add-to-any-chat': ['platform'],
  'stop-any-reply': ['platform'],
  'read-ratings': ['orgAdmin', 'platform'],
  'read-all-ratings': ['platform'],
  'read-organization-usage': ['orgAdmin'],
  'read-platform-usage': ['platform'],
  'limit-members': ['orgAdmin', 'platform'],
  'limit-organizations': ['platform'],

  'set-organization-models': ['orgAdmin'],
  'set-platform-models': ['platform'],
  'describe-connected-models': ['platform'],
  'set-runtime-options': ['platform'],
  'open-to-everyone': ['platform'],
  'use-everything': ['platform'],
} as const satisfies Record<string, readonly Standing[]>

export type Ability = keyof typeof abilities

/** What of a caller decides. A platform admin of the web app has no `organizationId`. */
export interface Able {
  role: Role
  organizationId?: string | null
}

const standingOf = ({ role, organizationId = null }: Able): Standing => {
  if (role === 'ROLE_PLATFORM_OWNER') return 'platform'
  if (organizationId === null) return 'alone'
  return role === 'ROLE_ORG_ADMIN' ? 'orgAdmin' : 'member'
}

export const can = (caller: Able, ability: Ability): boolean => {
  const who: readonly Standing[] = abilities[ability]
  return who.includes(standingOf(caller))
}

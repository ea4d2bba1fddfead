import { describe, expect, it } from 'vitest'
import { type Ability, type Able, can } from './abilities.ts'

const callers = {
  member: { role: 'ROLE_USER', organizationId: 'acme' },
  orgAdmin: { role: 'ROLE_ORG_ADMIN', organizationId: 'acme' },
  alone: { role: 'ROLE_USER', organizationId: null },
  adminOfNothing: { role: 'ROLE_ORG_ADMIN', organizationId: null },
  platform: { role: 'ROLE_PLATFORM_OWNER' },
} as const satisfies Record<string, Able>

const whoCan = (ability: Ability) =>
  Object.entries(callers).flatMap(([name, caller]) => (can(caller, ability) ? [name] : []))

describe('who can', () => {
  it.each<[Ability, string[]]>([
    ['manage-members', ['orgAdmin']],
    ['review-workflows', ['orgAdmin', 'alone', 'adminOfNothing', 'platform']],
    ['manage-webhooks', ['orgAdmin', 'alone', 'adminOfNothing']],
    ['read-ratings', ['orgAdmin', 'platform']],
    ['manage-platform', ['platform']],
    ['open-to-everyone', ['platform']],
  ])('%s: %j', (ability, expected) => {
    expect(whoCan(ability)).toEqual(expected)
  })
})

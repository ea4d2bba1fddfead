import { describe, expect, it } from 'vitest'
import { type GrantQuestion, mayUse } from './grants-policy.ts'

const ana = { kind: 'user', id: 'ana', role: 'ROLE_USER', organizationId: 'acme' } as const
const owner = { kind: 'user', id: 'olga' } as const
const grant = (principal_type: 'user' | 'group' | 'organization', principal_id: string, permission = 'read') => ({
  principal_type,
  principal_id,
  permission: permission as 'read' | 'write',
})
const ask = (question: Partial<GrantQuestion>) =>
  mayUse({ actor: ana, groups: new Set(['editors']), owner, grants: [], permission: 'read', ...question })

describe('who may use a thing', () => {
  it('is its owner and every platform admin, whatever was granted', () => {
    for (const permission of ['read', 'write'] as const) {
      expect(ask({ owner: { kind: 'user', id: 'ana' }, permission })).toBe(true)
      expect(
        ask({ actor: { kind: 'admin', id: 'x', role: 'ROLE_PLATFORM_OWNER', organizationId: null }, permission }),
      ).toBe(true)
      expect(ask({ permission })).toBe(false)
    }
  })

  it('is nobody who only shares the owner’s id in the other table', () => {
    expect(ask({ owner: { kind: 'admin', id: 'ana' } })).toBe(false)
  })

  it.each([
    ['the person', grant('user', 'ana'), true],
    ['another person', grant('user', 'ben'), false],
    ['a group of theirs', grant('group', 'editors'), true],
    ['another group', grant('group', 'authors'), false],
    ['their organization', grant('organization', 'acme'), true],
    ['another organization', grant('organization', 'other'), false],
    ['a group with the person’s id', grant('group', 'ana'), false],
    ['a person with the organization’s id', grant('user', 'acme'), false],
  ])('is whom it was granted to: %s', (_whom, given, isAllowed) => {
    expect(ask({ grants: [given] })).toBe(isAllowed)
    expect(ask({ grants: [given], permission: 'write' })).toBe(false)
    expect(ask({ grants: [{ ...given, permission: 'write' }], permission: 'write' })).toBe(isAllowed)
    expect(ask({ grants: [{ ...given, permission: 'write' }] })).toBe(isAllowed)
  })

  it('is everybody for reading where it is open, and nobody more for changing', () => {
    expect(ask({ grants: null })).toBe(true)
    expect(ask({ grants: null, permission: 'write' })).toBe(false)
  })

  it('is nobody without an organization by a grant to an organization', () => {
    const loner = { kind: 'user', id: 'lo', role: 'ROLE_USER', organizationId: null } as const
    expect(ask({ actor: loner, grants: [grant('organization', 'null')] })).toBe(false)
  })
})

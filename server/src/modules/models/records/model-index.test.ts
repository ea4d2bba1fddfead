import { describe, expect, it } from 'vitest'
import { createModelIndex } from './model-index.ts'
import type { ModelRecord } from './queries/models.ts'

const at = new Date(0)
const record = (id: string, change: Partial<ModelRecord> = {}): ModelRecord => ({
  id,
  baseModelId: 'base',
  name: id,
  params: {},
  meta: {},
  ownerKind: 'user',
  ownerId: 'somebody',
  isRestricted: true,
  isActive: true,
  createdAt: at,
  updatedAt: at,
  grants: [],
  ...change,
})
const grantTo = (principal_type: 'user' | 'group' | 'organization', principal_id: string) => ({
  grants: [{ principal_type, principal_id, permission: 'read' as const }],
})
const ana = {
  actor: { kind: 'user', id: 'ana', role: 'ROLE_USER', organizationId: 'acme' } as const,
  groups: new Set(['editors']),
}
const owner = {
  actor: { kind: 'admin', id: 'olga', role: 'ROLE_PLATFORM_OWNER', organizationId: null } as const,
  groups: new Set<string>(),
}

const setUp = (...records: ModelRecord[]) => {
  const index = createModelIndex()
  for (const one of records) index.set(one)
  return {
    index,
    idsFor: (caller: typeof ana | typeof owner) => Array.from(index.candidatesFor(caller), ({ id }) => id),
  }
}

describe('model records', () => {
  it('are found by who is named in them, without those of others', () => {
    const others = Array.from({ length: 50 }, (_, count) => record(`other ${count}`, grantTo('user', `user ${count}`)))
    const { idsFor } = setUp(
      ...others,
      record('own', { ownerId: 'ana' }),
      record('to her', grantTo('user', 'ana')),
      record('to her group', grantTo('group', 'editors')),
      record('to her company', grantTo('organization', 'acme')),
      record('open', { grants: null }),
    )
    expect(idsFor(ana).sort()).toEqual(['open', 'own', 'to her', 'to her company', 'to her group'])
    expect(idsFor(owner)).toHaveLength(55)
  })

  it('are found by what they say now', () => {
    const { index, idsFor } = setUp(record('a', { grants: null }), record('b', grantTo('user', 'ana')))
    index.set(record('a', grantTo('user', 'ben')))
    index.set(record('b', { ownerId: 'ben' }))
    index.set(record('c', { ownerId: 'ana' }))
    expect(idsFor(ana)).toEqual(['c'])
    expect([...index.idsNaming('ben')].sort()).toEqual(['a', 'b'])
    index.delete('c')
    expect(idsFor(ana)).toEqual([])
    expect(index.find('c')).toBeUndefined()
  })
})

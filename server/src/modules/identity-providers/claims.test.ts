import { describe, expect, it } from 'vitest'
import { claimValues, findClaim, nameIn, vouchedAddress } from './claims.ts'

const settings = { issuer: 'https://idp.example', clientId: 'x', emailClaim: 'email', acceptsUnmarkedEmail: false }
const domains = ['acme.test']

describe('a claim', () => {
  it('is found by its whole name before the path that its dots make', () => {
    const claims = { 'https://acme.test/roles': ['a'], realm_access: { roles: ['b'] }, plain: 'c' }
    expect([...claimValues(claims, 'https://acme.test/roles')]).toEqual(['a'])
    expect([...claimValues(claims, 'realm_access.roles')]).toEqual(['b'])
    expect([...claimValues(claims, 'plain')]).toEqual(['c'])
  })

  it('is not what every object has', () => {
    for (const name of ['', 'constructor', '__proto__.toString', 'plain.length', 'missing.of.it'])
      expect(findClaim({ plain: 'text' }, name)).toBeUndefined()
  })

  it('counts as texts, and only so many', () => {
    expect([...claimValues({ groups: [1, null, 'x', ['y'], {}] }, 'groups')]).toEqual(['x'])
    const groups = Array.from({ length: 5000 }, (_, index) => String(index))
    expect(claimValues({ groups }, 'groups').size).toBe(1000)
  })
})

describe('the address that a provider vouches for', () => {
  const vouched = (claims: object, change: object = {}) =>
    vouchedAddress({ email: 'Nia@Acme.test', email_verified: true, ...claims }, { ...settings, ...change }, domains)

  it('is one of its domains, marked as verified', () => {
    expect(vouched({})).toBe('nia@acme.test')
    for (const email of ['nia@acme.test.evil', 'nia@evil', 'nia@acme.test@evil.test', 7, undefined, ''])
      expect(vouched({ email })).toBeUndefined()
    for (const mark of [false, 'true', 1, null, undefined]) expect(vouched({ email_verified: mark })).toBeUndefined()
  })

  it('may lack the mark where an administrator trusts the provider, but not be marked false', () => {
    const trusting = { acceptsUnmarkedEmail: true, emailClaim: 'upn' }
    expect(vouched({ upn: 'nia@acme.test', email_verified: undefined }, trusting)).toBe('nia@acme.test')
    expect(vouched({ upn: 'nia@acme.test', email_verified: false }, trusting)).toBeUndefined()
  })

  it('is at Google only one that the organization manages', () => {
    const google = { issuer: 'https://accounts.google.com', acceptsUnmarkedEmail: true }
    expect(vouched({ hd: 'acme.test' }, google)).toBe('nia@acme.test')
    expect(vouched({}, google)).toBeUndefined()
    expect(vouched({ hd: 'evil.test' }, google)).toBeUndefined()
    expect(vouched({ hd: 'acme.test', email_verified: undefined }, google)).toBeUndefined()
  })
})

it('names a person by what is there', () => {
  expect(nameIn({ name: 'Nia New' }, 'n@acme.test')).toBe('Nia New')
  expect(nameIn({ given_name: 'Nia', family_name: 'New' }, 'n@acme.test')).toBe('Nia New')
  expect(nameIn({ name: '\u0000' }, 'n@acme.test')).toBe('n')
})

import { describe, expect, it } from 'vitest'
import { readUser } from '../people/read-user.ts'
import { readOperations } from './operations.ts'
import { patchGroup } from './patch-group.ts'
import { patchUser, type UserDraft } from './patch-user.ts'

const ana = (): UserDraft => ({
  userName: 'ana@firm.test',
  externalId: null,
  displayName: 'Ana Old',
  active: true,
  name: { formatted: 'Ana Old', givenName: 'Ana', familyName: 'Old' },
  emails: [{ value: 'ana@firm.test', type: 'work', primary: true }],
})
const patched = (...operations: object[]) =>
  readUser(patchUser(ana(), readOperations({ Operations: operations })), readUser(ana()))

describe('a patch of a person', () => {
  it.each([
    ['Entra ID, with a text as boolean', { op: 'Replace', path: 'active', value: 'False' }],
    ['Entra ID, with a boolean', { op: 'replace', path: 'active', value: false }],
    ['Okta, without a path', { op: 'replace', value: { active: false } }],
    ['Keycloak, with a list', { op: 'REPLACE', path: 'active', value: ['false'] }],
    [
      'with the name of the schema',
      { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: false },
    ],
  ])('deactivates: %s', (_who, operation) => expect(patched(operation)).toMatchObject({ active: false }))

  it.each([
    ['emails[type eq "work"].value', { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@firm.test' }],
    ['a key that is a path', { op: 'replace', value: { 'emails[type eq "work"].value': 'new@firm.test' } }],
    ['the whole list', { op: 'replace', path: 'emails', value: [{ value: 'new@firm.test', primary: true }] }],
    ['another of its type', { op: 'add', path: 'emails', value: [{ value: 'new@firm.test', type: 'work' }] }],
    ['the user name alone, where it was the email', { op: 'replace', path: 'userName', value: 'New@firm.test' }],
  ])('changes the email: %s', (_how, operation) => expect(patched(operation)).toMatchObject({ email: 'new@firm.test' }))

  it.each([
    ['the display name', { op: 'add', path: 'displayName', value: 'Ana New' }],
    ['a part of the name', { op: 'replace', path: 'name.familyName', value: 'New' }],
    ['a dotted key', { op: 'replace', value: { 'name.familyName': 'New' } }],
    ['an object', { op: 'replace', path: 'name', value: { familyName: 'New' } }],
    ['an object with other cases', { op: 'replace', value: { NAME: { FamilyName: 'New' } } }],
  ])('changes the name: %s', (_how, operation) => expect(patched(operation)).toMatchObject({ name: 'Ana New' }))

  it('leaves out what is not kept', () => {
    const extension = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
    const operations = [
      { op: 'Add', path: `${extension}:department`, value: 'Tooling' },
      { op: 'Add', path: 'title', value: 'Engineer' },
      { op: 'Add', path: 'constructor', value: 'x' },
      { op: 'Add', path: 'emails[type eq "work"].constructor', value: 'x' },
      { op: 'add', value: { [extension]: { manager: '1' }, nickName: 'A', 'a b': 1 } },
    ]
    expect(patched(...operations)).toEqual(readUser(ana()))
  })

  it.each([
    ['scim_invalid_syntax', { op: 'move', path: 'a', value: 1 }],
    ['scim_invalid_syntax', { op: 'replace', value: 'x' }],
    ['scim_invalid_syntax', { path: 'active', value: 'x' }],
    ['scim_no_target', { op: 'remove' }],
    ['scim_invalid_path', { op: 'replace', path: 'emails[', value: 'x' }],
    ['scim_invalid_value', { op: 'replace', path: 'active', value: 'perhaps' }],
    ['scim_invalid_value', { op: 'replace', path: 'userName', value: { a: 1 } }],
    ['scim_invalid_value', { op: 'remove', path: 'userName' }],
    ['scim_invalid_value', { op: 'replace', path: 'name', value: 'Ana' }],
    ['scim_invalid_value', { op: 'replace', path: 'emails', value: [{ value: 'nowhere' }] }],
    ['scim_invalid_value', { op: 'add', path: 'emails', value: Array(60).fill({ value: 'x@firm.test' }) }],
    ['scim_invalid_value', { op: 'replace', path: 'externalId', value: 'a\u0000b' }],
  ])('is refused with %s', (code, operation) => {
    expect(() => patched(operation)).toThrow(expect.objectContaining({ code }))
  })

  it('has at most a thousand operations', () => {
    const many = Array(10_000).fill({ op: 'add', path: 'title', value: 'x' })
    expect(() => patched(...many)).toThrow(expect.objectContaining({ code: 'body_too_large' }))
  })
})

describe('a patch of a group', () => {
  const after = (...operations: object[]) => {
    const draft = { displayName: 'G', externalId: null, members: new Set(['a', 'b']) }
    return patchGroup(draft, readOperations({ operations }))
  }

  it.each([
    ['ab', { op: 'Add', path: 'members', value: [{ value: 'A' }] }],
    ['abc', { op: 'Add', path: 'members', value: [{ $ref: null, value: 'c' }] }],
    ['abc', { op: 'add', value: { members: [{ value: 'c' }] } }],
    ['b', { op: 'Remove', path: 'members', value: [{ value: 'a' }] }],
    ['b', { op: 'remove', path: 'members[value eq "a"]' }],
    ['', { op: 'remove', path: 'members[value eq "a" or value eq "b"]' }],
    ['', { op: 'remove', path: 'members' }],
    ['c', { op: 'replace', path: 'members', value: [{ value: 'c' }] }],
    ['ab', { op: 'replace', value: { id: 'g', displayName: 'New' } }],
  ])('leaves %s', (left, operation) => expect([...after(operation).members].join('')).toBe(left))

  it.each([
    ['scim_invalid_value', { op: 'add', path: 'members', value: [{ value: 1 }] }],
    ['scim_invalid_path', { op: 'remove', path: 'members[display sw "a"]' }],
  ])('is refused with %s', (code, operation) => {
    expect(() => after(operation)).toThrow(expect.objectContaining({ code }))
  })

  it('takes tens of thousands of members at once', () => {
    const value = Array.from({ length: 20_000 }, (_, index) => ({ value: `m${index}` }))
    expect(after({ op: 'add', path: 'members', value }, { op: 'remove', path: 'members', value }).members.size).toBe(2)
  })
})

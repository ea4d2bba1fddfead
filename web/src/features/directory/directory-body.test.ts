import { LdapSettingsBody } from '@chancery/contract/ldap.ts'
import { describe, expect, it } from 'vitest'
import { addressFor, type Choices, directoryBody, securityOf } from './directory-body.ts'

const fields = {
  url: 'ldap://directory.example:389',
  caPem: '',
  bindDn: 'cn=reader',
  bindPassword: '',
  baseDn: 'dc=example',
  userFilter: '(mail={login})',
  email: 'mail',
  name: 'cn',
  uniqueId: 'entryUUID',
  memberOf: '',
}
const choices: Choices = { security: 'startTls', isEnabled: true, canProvision: false, groupRoles: [] }

describe('the address of a directory', () => {
  it('has the scheme that the chosen security asks for, whatever was typed', () => {
    expect(addressFor('directory.example', 'none')).toBe('ldap://directory.example')
    expect(addressFor('ldap://directory.example:636', 'ldaps')).toBe('ldaps://directory.example:636')
    expect(addressFor(' LDAPS://directory.example ', 'startTls')).toBe('ldap://directory.example')
  })

  it('tells by itself how it is secured', () => {
    expect(securityOf({ url: 'LDAPS://x', startTls: false })).toBe('ldaps')
    expect(securityOf({ url: 'ldap://x', startTls: true })).toBe('startTls')
    expect(securityOf({ url: 'ldap://x', startTls: false })).toBe('none')
  })
})

describe('the body of a directory', () => {
  it('is one that the contract accepts', () => {
    expect(LdapSettingsBody.safeParse(directoryBody(fields, choices)).success).toBe(true)
  })

  it('leaves a blank password out, so that the stored one stays', () => {
    expect(directoryBody(fields, choices)).not.toHaveProperty('bindPassword')
    expect(directoryBody({ ...fields, bindPassword: ' x ' }, choices)).toMatchObject({ bindPassword: ' x ' })
  })

  it('leaves out rows in which no group was named', () => {
    const groupRoles = [
      { dn: ' ', role: 'ROLE_USER' as const },
      { dn: 'cn=admins', role: 'ROLE_ORG_ADMIN' as const },
    ]
    expect(directoryBody(fields, { ...choices, groupRoles }).groupRoles).toEqual([
      { dn: 'cn=admins', role: 'ROLE_ORG_ADMIN' },
    ])
  })
})

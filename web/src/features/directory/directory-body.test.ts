import { LdapSettingsBody } from '@chancery/contract/organizations/ldap.ts'
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

describe('the URL of a directory', () => {
  it('gets the scheme of the chosen encryption', () => {
    expect(addressFor('directory.example', 'none')).toBe('ldap://directory.example')
    expect(addressFor('ldap://directory.example:636', 'ldaps')).toBe('ldaps://directory.example:636')
    expect(addressFor(' LDAPS://directory.example ', 'startTls')).toBe('ldap://directory.example')
  })

  it('shows which encryption is used', () => {
    expect(securityOf({ url: 'LDAPS://x', startTls: false })).toBe('ldaps')
    expect(securityOf({ url: 'ldap://x', startTls: true })).toBe('startTls')
    expect(securityOf({ url: 'ldap://x', startTls: false })).toBe('none')
  })
})

describe('the body of a directory', () => {
  it('matches the contract', () => {
    expect(LdapSettingsBody.safeParse(directoryBody(fields, choices)).success).toBe(true)
  })

  it('leaves out a blank password, so the stored one is kept', () => {
    expect(directoryBody(fields, choices)).not.toHaveProperty('bindPassword')
    expect(directoryBody({ ...fields, bindPassword: ' x ' }, choices)).toMatchObject({ bindPassword: ' x ' })
  })

  it('leaves out rows without a group', () => {
    const groupRoles = [
      { dn: ' ', role: 'ROLE_USER' as const },
      { dn: 'cn=admins', role: 'ROLE_ORG_ADMIN' as const },
    ]
    expect(directoryBody(fields, { ...choices, groupRoles }).groupRoles).toEqual([
      { dn: 'cn=admins', role: 'ROLE_ORG_ADMIN' },
    ])
  })
})

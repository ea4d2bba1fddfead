/** Converts between the directory form and the request body. Pure. */
import type { LdapSettings } from '@chancery/contract/organizations/ldap.ts'
import type { Fields } from '#lib/form/form.ts'

/** The encryption of the connection. */
export type Security = 'none' | 'startTls' | 'ldaps'

export interface GroupRole {
  dn: string
  role: LdapSettings['groupRoles'][number]['role']
}

/** The values of the form besides its text fields. */
export interface Choices {
  security: Security
  isEnabled: boolean
  canProvision: boolean
  groupRoles: readonly GroupRole[]
}

const scheme = /^[a-z]*:\/\//i

export const securityOf = ({ url, startTls }: Pick<LdapSettings, 'url' | 'startTls'>): Security => {
  if (/^ldaps:/i.test(url)) return 'ldaps'
  return startTls ? 'startTls' : 'none'
}

/** The URL with the scheme of the chosen encryption. */
export const addressFor = (address: string, security: Security): string =>
  `${security === 'ldaps' ? 'ldaps' : 'ldap'}://${address.trim().replace(scheme, '')}`

/** A blank password isn't sent, which keeps the stored one; rows without a group are skipped. */
export const directoryBody = (fields: Fields, { security, isEnabled, canProvision, groupRoles }: Choices) => ({
  enabled: isEnabled,
  url: addressFor(fields.url ?? '', security),
  startTls: security === 'startTls',
  caPem: fields.caPem ?? '',
  bindDn: fields.bindDn ?? '',
  ...(fields.bindPassword !== undefined && fields.bindPassword !== '' && { bindPassword: fields.bindPassword }),
  baseDn: fields.baseDn ?? '',
  userFilter: fields.userFilter ?? '',
  attributes: { email: fields.email, name: fields.name, uniqueId: fields.uniqueId, memberOf: fields.memberOf },
  groupRoles: groupRoles.filter(({ dn }) => dn.trim() !== ''),
  autoProvision: canProvision,
})

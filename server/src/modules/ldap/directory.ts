/** A company's directory, ready to be asked: the stored settings with the password opened. */
import type { LdapSettings, LdapSettingsBody } from '@chancery/contract/organizations/ldap.ts'
import type { Filter } from 'ldapts'
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import { SealError, type Sealer } from '#kernel/crypto/sealer.ts'
import type { DirectoryRow } from './queries.ts'
import { compileUserFilter } from './user-filter.ts'
import type { Endpoint } from './wire/transport.ts'

export interface Directory {
  organizationId: string
  endpoint: Endpoint
  service: { dn: string; password: string }
  baseDn: string
  filterFor(login: string): Filter
  attributes: LdapSettings['attributes']
  groupRoles: LdapSettings['groupRoles']
  autoProvision: boolean
}

const sealContext = storedSeal({
  purpose: 'ldap',
  table: 'ldap_directories',
  columns: ['bind_password'],
  by: ['organization_id'],
})

export const sealBindPassword = (sealer: Sealer, organizationId: string, password: string): string =>
  sealer.seal(password, sealContext(organizationId))

/** Blank where there is none, or none that we can still open: then it must be entered again. */
export const openBindPassword = (sealer: Sealer, { bindPassword, organizationId }: DirectoryRow): string => {
  if (bindPassword === null) return ''
  try {
    return sealer.open(bindPassword, sealContext(organizationId))
  } catch (problem) {
    if (problem instanceof SealError) return ''
    throw problem
  }
}

interface Given {
  organizationId: string
  settings: Pick<
    LdapSettingsBody,
    'url' | 'startTls' | 'caPem' | 'bindDn' | 'baseDn' | 'userFilter' | 'attributes' | 'groupRoles' | 'autoProvision'
  >
  password: string
  allowsPlaintext: boolean
}

export const directoryOf = ({ organizationId, settings, password, allowsPlaintext }: Given): Directory => {
  const { url, startTls, caPem, bindDn, baseDn, userFilter, attributes, groupRoles, autoProvision } = settings
  return {
    organizationId,
    endpoint: { url, startTls, caPem, allowsPlaintext, isTrusted: false },
    service: { dn: bindDn, password },
    filterFor: compileUserFilter(userFilter),
    baseDn,
    attributes,
    groupRoles,
    autoProvision,
  }
}

/** The issuer of this directory's people in `user_identities`. */
export const issuerOf = (organizationId: string): string => `ldap:${organizationId}`

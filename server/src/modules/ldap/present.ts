/** The only way from rows to JSON. */
import type { LdapSettings } from '@chancery/contract/organizations/ldap.ts'
import type { DirectoryRow } from './queries.ts'

export const presentDirectory = ({
  organizationId: _organizationId,
  updatedAt: _updatedAt,
  bindPassword,
  ...settings
}: DirectoryRow): LdapSettings => ({ ...settings, hasBindPassword: bindPassword !== null })

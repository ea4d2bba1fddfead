/**
 * Which password goes with settings that come without one. The stored one, as long as it would go to the same server for
 * the same name: else an administrator could read it by pointing the address at a server of their own.
 */
import type { LdapSettingsBody } from '@chancery/contract/organizations/ldap.ts'
import type { Sealer } from '#kernel/crypto/sealer.ts'
import { AppError } from '#kernel/errors.ts'
import { asProblem } from './check-settings.ts'
import { openBindPassword } from './directory.ts'
import { isSameDn } from './dn.ts'
import type { DirectoryRow } from './queries.ts'
import { parseDirectoryUrl } from './wire/transport.ts'

export const bindPasswordFor = (
  sealer: Sealer,
  { bindPassword = '', bindDn, url }: LdapSettingsBody,
  stored: DirectoryRow | undefined,
): string => {
  if (bindPassword !== '') return bindPassword
  if (bindDn === '') return ''
  const isSame = stored !== undefined && isSameDn(stored.bindDn, bindDn) && isSameServer(stored.url, url)
  const kept = isSame ? openBindPassword(sealer, stored) : ''
  if (kept !== '') return kept
  const msg = stored ? 'must be entered again for another server or bind DN' : 'is needed with a bind DN'
  throw new AppError('validation_failed', { problems: [asProblem(['bindPassword'], msg)] })
}

const isSameServer = (left: string, right: string): boolean => {
  const [one, other] = [parseDirectoryUrl(left), parseDirectoryUrl(right)]
  return one.host === other.host && one.port === other.port
}

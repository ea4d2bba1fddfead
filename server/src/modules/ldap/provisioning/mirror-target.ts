/** The provisioning directory, as the operator configured it. */
import { readFileSync } from 'node:fs'
import { StartError } from '#kernel/process/start-error.ts'
import type { LdapConfig } from '../config.ts'
import { parseDn } from '../dn.ts'
import { type Endpoint, parseDirectoryUrl } from '../wire/transport.ts'

export interface MirrorTarget {
  endpoint: Endpoint
  baseDn: string
  service: { dn: string; password: string }
}

/** Undefined where it is switched off. Half a configuration ends the start, with a sentence that names the other half. */
export const readMirrorTarget = (config: LdapConfig): MirrorTarget | undefined => {
  if (!config.LDAP_PROVISIONING_ENABLED) return undefined
  const url = need(config, 'LDAP_URL')
  const baseDn = need(config, 'LDAP_BASE_DN')
  const dn = need(config, 'LDAP_BIND_DN')
  const password = need(config, 'LDAP_BIND_PASSWORD')
  for (const [name, value] of Object.entries({ LDAP_BASE_DN: baseDn, LDAP_BIND_DN: dn }))
    if (!parseDn(value)?.length)
      throw new StartError(`${name} must be a distinguished name, such as dc=example,dc=org.`)
  const isLdaps = readIsLdaps(url)
  const allowsPlaintext = config.LDAP_ALLOW_PLAINTEXT
  const startTls = !isLdaps && !allowsPlaintext
  const caPem = readAuthority(config.LDAP_CA_FILE)
  return { endpoint: { url, startTls, caPem, allowsPlaintext, isTrusted: true }, baseDn, service: { dn, password } }
}

type Needed = 'LDAP_URL' | 'LDAP_BASE_DN' | 'LDAP_BIND_DN' | 'LDAP_BIND_PASSWORD'

const need = (config: LdapConfig, name: Needed): string => {
  const value = config[name]
  if (value === undefined || value === '') throw new StartError(`LDAP_PROVISIONING_ENABLED also needs ${name}.`)
  return value
}

const readIsLdaps = (url: string): boolean => {
  try {
    return parseDirectoryUrl(url).isLdaps
  } catch (problem) {
    throw new StartError('LDAP_URL must be ldap://host:port or ldaps://host:port.', { cause: problem })
  }
}

const readAuthority = (path: string | undefined): string => {
  if (path === undefined) return ''
  try {
    return readFileSync(path, 'utf8')
  } catch (problem) {
    throw new StartError(`LDAP_CA_FILE cannot be read: ${(problem as Error).message}.`)
  }
}

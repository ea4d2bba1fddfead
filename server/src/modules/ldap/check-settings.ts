/** Checks that the form's own rules cannot make: that names are names, the filter a filter, the certificate one. */
import { X509Certificate } from 'node:crypto'
import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { LdapSettingsBody } from '@chancery/contract/organizations/ldap.ts'
import { AppError } from '#kernel/errors.ts'
import { parseDn } from './dn.ts'
import { compileUserFilter } from './user-filter.ts'
import { parseDirectoryUrl } from './wire/transport.ts'

type Check = [isWrong: boolean, loc: (string | number)[], msg: string]

export const checkSettings = (settings: LdapSettingsBody, { allowsPlaintext }: { allowsPlaintext: boolean }): void => {
  const { startTls, caPem, bindDn, baseDn, userFilter, attributes, groupRoles } = settings
  const isLdaps = /^ldaps:/i.test(settings.url)
  const checks: Check[] = [
    [fails(() => parseDirectoryUrl(settings.url)), ['url'], 'must be ldap://host:port or ldaps://host:port'],
    [isLdaps && startTls, ['startTls'], 'is for ldap:// addresses; ldaps:// is encrypted from the start'],
    [!isLdaps && !startTls && !allowsPlaintext, ['startTls'], 'is needed: the connection must be encrypted'],
    [!isCertificate(caPem), ['caPem'], 'must be one or more certificates in PEM'],
    [parseDn(bindDn) === undefined, ['bindDn'], 'must be a distinguished name'],
    [!parseDn(baseDn)?.length, ['baseDn'], 'must be a distinguished name'],
    [fails(() => compileUserFilter(userFilter)), ['userFilter'], 'must be a search filter that compares with {login}'],
    ...Object.entries(attributes).map(
      ([name, attribute]): Check => [!isAttribute(attribute), ['attributes', name], 'must be the name of an attribute'],
    ),
    ...groupRoles.map(
      ({ dn }, index): Check => [!parseDn(dn)?.length, ['groupRoles', index, 'dn'], 'must be a distinguished name'],
    ),
  ]
  const problems = checks.filter(([isWrong]) => isWrong).map(([, loc, msg]) => asProblem(loc, msg))
  if (problems.length > 0) throw new AppError('validation_failed', { problems })
}

export const asProblem = (loc: (string | number)[], msg: string): FieldProblem => ({
  loc: ['body', ...loc],
  msg,
  type: 'value_error',
})

const fails = (work: () => unknown): boolean => {
  try {
    work()
    return false
  } catch {
    return true
  }
}

/** Blank where it may be: the form's own rules ask for the others. */
const isAttribute = (name: string): boolean => /^(?:[a-z][a-z0-9;.-]*)?$/i.test(name)

const isCertificate = (pem: string): boolean => {
  const text = pem.trim()
  if (text === '') return true
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  return blocks.length > 0 && blocks.every((block) => !fails(() => new X509Certificate(block)))
}

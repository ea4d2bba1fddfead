/**
 * Checks a password for people whose company has its own directory. The directory decides, with one way around it for
 * administrators who have a password here: when it cannot be asked, or when it has never known them. Else a wrong
 * setting, or a dead server, would lock out the very people who can mend it.
 */
import { EmailAddress } from '@chancery/contract/text.ts'
import { AppError } from '#kernel/errors.ts'
import type { PasswordAttempt, PasswordSource, UserRow } from '#modules/accounts/index.ts'
import { mailDomainOf } from '#modules/organizations/index.ts'
import { askDirectory, type Finding } from './ask-directory.ts'
import type { LdapContext } from './context.ts'
import { type Directory, directoryOf, issuerOf, openBindPassword } from './directory.ts'
import { roleOfGroups } from './groups.ts'
import { findDirectoryUnscoped } from './queries.ts'
import { resolveAccount } from './resolve-account.ts'

export const createPasswordSource =
  (context: LdapContext): PasswordSource =>
  async (attempt) => {
    const directory = await findDirectoryFor(context, attempt)
    if (!directory) return 'not mine'
    if (attempt.password === '') return 'refused'
    const finding = await askDirectory(context, directory, { login: attempt.email, password: attempt.password })
    if (finding.verdict === 'right') return (await signIn(context, attempt, { directory, finding })) ?? 'refused'
    const mayPass = await mayUseOwnPassword(context, attempt.user, { directory, finding })
    return mayPass ? 'not mine' : 'refused'
  }

/** Their organization's; for an address without an account, that of the organization whose domain it is. */
const findDirectoryFor = async (context: LdapContext, { user, email }: PasswordAttempt) => {
  const { db, sealer, config } = context
  const organizationId = user ? user.organizationId : (await context.organizations.findByAddressUnscoped(db, email))?.id
  const row = organizationId ? await findDirectoryUnscoped(db, organizationId) : undefined
  if (!row?.enabled) return undefined
  return directoryOf({
    organizationId: row.organizationId,
    settings: row,
    password: openBindPassword(sealer, row),
    allowsPlaintext: config.LDAP_ALLOW_PLAINTEXT,
  })
}

interface Right {
  directory: Directory
  finding: Extract<Finding, { verdict: 'right' }>
}

const signIn = async (
  context: LdapContext,
  { user, email, from }: PasswordAttempt,
  { directory, finding: { person, groups } }: Right,
): Promise<UserRow | undefined> => {
  const { organizationId, groupRoles, attributes } = directory
  const { subject, dn } = person
  if (subject === undefined) {
    context.log.warn({ organizationId, dn, attribute: attributes.uniqueId }, 'ldap: the entry has no unchanging id')
    return undefined
  }
  const role = roleOfGroups(groupRoles, groups)
  try {
    const address = await findAddress(context, { organizationId, typed: email, told: person.email })
    const member = user ?? (await findMember(context, organizationId, address))
    const proven = { directory, email: address, subject, name: person.name, role, from }
    const account = await resolveAccount(context, member, proven)
    if (!account) context.log.warn({ organizationId, dn }, 'ldap: no account here belongs to this entry')
    return account && role
      ? await context.organizations.applyRoleUnscoped(account, {
          organizationId,
          role,
          from,
          reason: 'directory groups',
        })
      : account
  } catch (problem) {
    // The plan is full, the trial over, or the address taken: no reason to tell a stranger at the door.
    if (!(problem instanceof AppError)) throw problem
    context.log.warn({ err: problem, organizationId, dn }, 'ldap: no account could be made')
    return undefined
  }
}

/** The directory's own idea of their address counts on the company's own domains, and nowhere else. */
const findAddress = async (
  { db, organizations }: LdapContext,
  { organizationId, typed, told }: { organizationId: string; typed: string; told: string | undefined },
): Promise<string> => {
  const { data } = EmailAddress.safeParse(told)
  const domains = data === undefined ? [] : await organizations.listDomainsUnscoped(db, organizationId)
  return data !== undefined && domains.includes(mailDomainOf(data)) ? data : typed
}

/** Somebody may sign in by another name than the one their account has. */
const findMember = async ({ accounts, db }: LdapContext, organizationId: string, email: string) => {
  const user = await accounts.users.findByEmailUnscoped(db, email)
  return user?.organizationId === organizationId ? user : undefined
}

const mayUseOwnPassword = async (
  { accounts, db }: LdapContext,
  user: UserRow | undefined,
  { directory, finding }: { directory: Directory; finding: Finding },
): Promise<boolean> => {
  if (user?.role !== 'ROLE_ORG_ADMIN' || user.passwordHash === null) return false
  if (finding.verdict === 'unusable') return true
  if (finding.verdict !== 'unknown') return false
  return (await accounts.identities.listUnscoped(db, issuerOf(directory.organizationId), [user.id])).length === 0
}

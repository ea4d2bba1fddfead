/**
 * The directory has confirmed who somebody is: which account is theirs? The entry's unchanging id decides. The address links an
 * account to an entry once, if neither is linked yet; an address that is given to another person opens no account.
 */
import { normalized } from '@chancery/contract/normalized.ts'
import { EmailAddress } from '@chancery/contract/text.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { LdapContext } from './context.ts'
import { type Directory, issuerOf } from './directory.ts'

export interface Proven {
  directory: Directory
  /** If there is no account yet, the address is in one of their organization's domains. */
  email: string
  subject: string
  name: string | undefined
  /** The role that their groups give them; undefined where groups don't decide it. */
  role: UserRow['role'] | undefined
  from: Origin
}

/** Undefined: the directory's word is good, but there is no account for them here. */
export const resolveAccount = async (
  context: LdapContext,
  user: UserRow | undefined,
  proven: Proven,
): Promise<UserRow | undefined> => {
  const { organizationId } = proven.directory
  const linked = await context.accounts.identities.findUserUnscoped(context.db, identityOf(proven))
  if (linked) {
    const isTheirs = linked.organizationId === organizationId && (!user || user.id === linked.id)
    return isTheirs ? context.db.transaction().execute((tx) => proved(context, tx, linked, proven)) : undefined
  }
  return user ? linkAccount(context, user, proven) : admitNewcomer(context, proven)
}

const identityOf = ({ directory, subject }: Pick<Proven, 'directory' | 'subject'>) => ({
  issuer: issuerOf(directory.organizationId),
  subject,
})

const linkAccount = (context: LdapContext, user: UserRow, proven: Proven): Promise<UserRow | undefined> =>
  context.db.transaction().execute(async (tx) => {
    const isLinked = await link(context, tx, user, proven)
    return isLinked ? proved(context, tx, user, proven) : undefined
  })

/** The directory vouches for the addresses of its company's own domains. Somebody else may have made the account. */
const proved = async (
  { accounts, organizations }: LdapContext,
  tx: Db,
  user: UserRow,
  { directory, subject, email }: Proven,
): Promise<UserRow> => {
  if (user.emailProvenAt !== null || user.email !== email) return user
  const owner = await organizations.findByAddressUnscoped(tx, email)
  if (owner?.id !== directory.organizationId) return user
  const { issuer: vouchedBy } = identityOf({ directory, subject })
  await accounts.users.proveAddressUnscoped(tx, { userId: user.id, email, proof: { vouchedBy }, keeps: 'nothing' })
  return (await accounts.users.findByIdUnscoped(tx, user.id)) ?? user
}

/** False for an address that was given to another person. */
const link = async ({ accounts, audit }: LdapContext, tx: Db, user: UserRow, proven: Proven): Promise<boolean> => {
  const isLinked = await accounts.identities.linkUnscoped(tx, { ...identityOf(proven), userId: user.id })
  if (!isLinked) return false
  const target = { kind: 'user', id: user.id }
  const { organizationId } = proven.directory
  await audit.record(tx, { action: 'ldap.link', by: 'system', target, organizationId, from: proven.from })
  return true
}

/** When two first logins race, the second finds the address taken and uses the first one's account. */
const admitNewcomer = async (context: LdapContext, proven: Proven): Promise<UserRow | undefined> => {
  const { directory, email, role = 'ROLE_USER', from } = proven
  const { organizationId, autoProvision } = directory
  if (!EmailAddress.safeParse(email).success) return undefined
  const newcomer = { organizationId, email, name: displayName(proven), role, from, mustBeInvited: !autoProvision }
  try {
    return await context.db.transaction().execute(async (tx) => {
      const user = await context.organizations.addMember(tx, newcomer)
      await link(context, tx, user, proven)
      return user
    })
  } catch (problem) {
    if (!(problem instanceof AppError) || problem.code !== 'email_taken') throw problem
    return context.accounts.identities.findUserUnscoped(context.db, identityOf(proven))
  }
}

const displayName = ({ name, email }: Proven): string => {
  const line = normalized(name ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 120)
  return line.isWellFormed() && line !== '' ? line : (email.split('@')[0] ?? email)
}

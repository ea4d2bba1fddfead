/**
 * Whose account a login at the provider opens. By issuer and subject; else by an address the provider has verified, of
 * somebody whose company signs in there; else a new member, where the company is known. Never a platform admin (they are
 * in another table, which this never reads) and never anybody of a company that signs in here.
 */
import { EmailAddress, PersonName } from '@chancery/contract/text.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { IdClaims } from '#kernel/oidc/index.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { SsoContext } from './context.ts'
import { findProvisionedUnscoped } from './queries.ts'

const notAllowed = (why: string): AppError => new AppError('sso_not_allowed', { detail: why })

export const findAccount = async (context: SsoContext, claims: IdClaims, from: Origin): Promise<UserRow> => {
  const user = await findOrMake(context, claims, from).catch((problem: unknown) => {
    // Another tab of the same newcomer was faster: now there is somebody to find.
    if (problem instanceof AppError && problem.code === 'email_taken') return findOrMake(context, claims, from)
    throw problem
  })
  if (user.status !== 'ACTIVE') throw notAllowed('the account is deactivated')
  await requireSsoTenant(context, context.db, user.organizationId)
  return user
}

const findOrMake = (context: SsoContext, claims: IdClaims, from: Origin): Promise<UserRow> =>
  context.db.transaction().execute(async (tx) => {
    const { iss: issuer, sub: subject } = claims
    const known = await context.accounts.identities.findUserUnscoped(tx, { issuer, subject })
    const email = verifiedAddress(claims)
    // A pass over the directory links people too, before they have ever come from there.
    if (known) return known.email === email ? proved(context, tx, known, issuer) : known
    const present = email === undefined ? undefined : await findByAddress(context, tx, email)
    const user = present ?? (await createAccount(context, tx, { claims, email, from }))
    const isLinked = await context.accounts.identities.linkUnscoped(tx, { issuer, subject, userId: user.id })
    // Somebody else at the provider has this address by now. Whether they are the same person, nobody here can tell.
    if (!isLinked) throw notAllowed('the account belongs to another subject')
    await context.requestPush(tx, user.id)
    const target = { kind: 'user', id: user.id }
    const { organizationId } = user
    await context.audit.record(tx, {
      action: 'sso.link',
      by: 'system',
      target,
      organizationId,
      from,
      detail: { issuer },
    })
    return proved(context, tx, user, issuer)
  })

/** Only the boolean counts: a provider that sends "false" as text must not pass for true. */
const verifiedAddress = ({ email, email_verified: isVerified }: IdClaims): string | undefined =>
  isVerified === true ? EmailAddress.safeParse(email).data : undefined

const findByAddress = async (context: SsoContext, tx: Db, email: string): Promise<UserRow | undefined> => {
  const user = await context.accounts.users.findByEmailUnscoped(tx, email)
  if (!user) return undefined
  // An unproven account holds no claim on its address: the newcomer takes it over, and that account is closed.
  if (user.emailProvenAt === null && !(await isOfOwnDomain(context, tx, user))) return undefined
  if (user.organizationId === null) return joinByDomain(context, tx, user)
  await requireSsoTenant(context, tx, user.organizationId)
  return user
}

/** An unproven one of the company's own domain: the provider vouches for it now, and its maker may be somebody else. */
const proved = async ({ accounts }: SsoContext, tx: Db, user: UserRow, issuer: string): Promise<UserRow> => {
  if (user.emailProvenAt !== null) return user
  const { id: userId, email } = user
  await accounts.users.proveAddressUnscoped(tx, { userId, email, proof: { vouchedBy: issuer }, keeps: 'nothing' })
  return (await accounts.users.findByIdUnscoped(tx, userId)) ?? user
}

/** Somebody with an account of their own, whose address belongs to a company that signs in there, joins it. */
const joinByDomain = async ({ accounts, organizations }: SsoContext, tx: Db, user: UserRow): Promise<UserRow> => {
  const owner = await organizations.findByAddressUnscoped(tx, user.email)
  if (owner?.authProvider !== 'SSO') throw notAllowed('no company that signs in there has this person')
  await organizations.takeSeat(tx, owner.id)
  const joined = await accounts.users.joinUnscoped(tx, user.id, { organizationId: owner.id, role: 'ROLE_USER' })
  await organizations.announce(tx, { type: 'member_added', organizationId: owner.id, userId: user.id })
  return joined
}

/** Anybody may found a company under another's address; only a platform admin gives it a domain. */
const isOfOwnDomain = async (
  { organizations }: SsoContext,
  tx: Db,
  { email, organizationId }: UserRow,
): Promise<boolean> => (await organizations.findByAddressUnscoped(tx, email))?.id === organizationId

interface Newcomer {
  claims: IdClaims
  email: string | undefined
  from: Origin
}

/** A verified domain decides before the organization that had the person created at the provider. */
const createAccount = async (context: SsoContext, tx: Db, { claims, email, from }: Newcomer): Promise<UserRow> => {
  if (email === undefined) throw notAllowed('the provider has not verified the address')
  const { iss: issuer, sub: subject } = claims
  const provisioned = await findProvisionedUnscoped(tx, { issuer, subject })
  const owner = await context.organizations.findByAddressUnscoped(tx, email)
  const organization =
    owner ?? (provisioned && (await context.organizations.findUnscoped(tx, provisioned.organizationId)))
  if (organization?.authProvider !== 'SSO') throw notAllowed('no company that signs in there has this person')
  const name = PersonName.safeParse(claims.name).data ?? email.slice(0, email.lastIndexOf('@'))
  return context.organizations.addMember(tx, {
    organizationId: organization.id,
    email,
    name,
    from,
    mustBeInvited: provisioned?.organizationId === organization.id,
  })
}

const requireSsoTenant = async (
  { organizations }: SsoContext,
  db: Db,
  organizationId: string | null,
): Promise<void> => {
  const organization = organizationId === null ? undefined : await organizations.findUnscoped(db, organizationId)
  if (organization?.authProvider !== 'SSO' || !organization.active)
    throw notAllowed('the company does not sign in there')
}

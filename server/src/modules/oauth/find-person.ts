/**
 * Which account a login at a provider belongs to: the person it was linked to, or who has the same verified address, or somebody
 * new. Never somebody whose company signs in elsewhere, and never a platform admin: those are in another table. An
 * account that never proved its address is not joined either: a stranger may have made it, to share it later.
 */
import { EmailAddress, PersonName } from '@chancery/contract/text.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { compose } from '#kernel/mail/compose.ts'
import { byRecipient } from '#kernel/mail/mail.ts'
import { ownWords, words } from '#kernel/mail/words.ts'
import type { IdClaims } from '#kernel/oidc/index.ts'
import { asPrincipal, greeting, requireOpenSignUp, type UserRow } from '#modules/accounts/index.ts'
import type { OauthContext } from './context.ts'
import type { Provider } from './providers.ts'

interface Login {
  provider: Provider
  claims: IdClaims
  /** Some providers tell the address only where one asks for it. */
  userInfo(): Promise<Record<string, unknown>>
  from: Origin
}

export const findPerson = async (context: OauthContext, login: Login): Promise<UserRow> => {
  const { db } = context
  const identity = { issuer: login.claims.iss, subject: login.claims.sub }
  const linked = await context.accounts.identities.findUserUnscoped(db, identity)
  if (linked) return allowed(context, linked)

  const { email, isVerified, name } = await aboutPerson(login)
  const owner = await context.accounts.users.findByEmailUnscoped(db, email)
  if (!isVerified && (owner || !login.provider.trustsNewAddresses)) throw new AppError('oauth_address_not_verified')
  // An unproven account holds no claim on its address: signing up takes the address over and closes it.
  const isUnproven = owner !== undefined && owner.emailProvenAt === null
  if (isUnproven && !context.canSignUp()) throw new AppError('oauth_address_not_proven')
  return owner && !isUnproven
    ? link(context, login, await allowed(context, owner))
    : signUp(context, login, { email, name, isVerified })
}

/** Address and verdict come from one source. The verdict is the boolean, and nothing that merely looks like it. */
const aboutPerson = async ({ claims, userInfo }: Login) => {
  const source = claims.email === undefined ? await userInfo() : claims
  const { data: email } = EmailAddress.safeParse(source.email)
  if (email === undefined) throw new AppError('oauth_address_not_verified')
  const { data: name = email.slice(0, email.indexOf('@')) } = PersonName.safeParse(source.name)
  return { email, name, isVerified: source.email_verified === true }
}

const allowed = async ({ accounts }: OauthContext, user: UserRow): Promise<UserRow> => {
  const { refusesPassword, isSuspended } = await accounts.logins.findPolicy(user)
  if (user.status !== 'ACTIVE' || refusesPassword || isSuspended) throw new AppError('oauth_not_allowed')
  return user
}

/** Somebody who signs in there as another subject has a recycled address. */
const requireLink = async (
  { accounts }: OauthContext,
  tx: Db,
  { claims: { iss: issuer, sub: subject }, user }: { claims: IdClaims; user: UserRow },
): Promise<void> => {
  const isLinked = await accounts.identities.linkUnscoped(tx, { issuer, subject, userId: user.id })
  if (!isLinked) throw new AppError('oauth_not_allowed')
}

/** The owner of the address hears of it: a login that they did not expect is one they must know of. */
const link = (context: OauthContext, { provider, claims, from }: Login, user: UserRow): Promise<UserRow> =>
  context.db.transaction().execute(async (tx) => {
    const { audit, externalUrl, mail } = context
    await requireLink(context, tx, { claims, user })
    const detail = { provider: provider.id, issuer: claims.iss }
    await audit.record(tx, { action: 'account.link_login', by: asPrincipal(user), from, detail })
    await mail.send(tx, {
      to: user.email,
      by: byRecipient,
      ...compose({
        title: words`New sign-in method added`,
        paragraphs: [greeting(user), words`You can now also sign in with ${ownWords(provider.name)}.`],
        action: { label: 'Open your account', url: externalUrl },
        footer: words`If this wasn’t you, tell the operators of this service.`,
      }),
    })
    return user
  })

interface Newcomer {
  email: string
  name: string
  isVerified: boolean
}

const signUp = async (context: OauthContext, login: Login, newcomer: Newcomer): Promise<UserRow> => {
  const company = await context.organizations.findByAddressUnscoped(context.db, newcomer.email)
  if (company?.authProvider === 'SSO') throw new AppError('oauth_not_allowed')
  if (!context.canSignUp()) throw new AppError('oauth_signup_off')
  requireOpenSignUp(context.config, newcomer.email)
  try {
    return await createLinked(context, login, newcomer)
  } catch (problem) {
    if (!(problem instanceof AppError && problem.code === 'email_taken')) throw problem
    // Another tab of the same person was faster, or somebody registered this very moment.
    const { iss, sub } = login.claims
    const linked = await context.accounts.identities.findUserUnscoped(context.db, { issuer: iss, subject: sub })
    if (!linked) throw new AppError('oauth_failed', { cause: problem })
    return allowed(context, linked)
  }
}

const createLinked = (
  context: OauthContext,
  { provider, claims, from }: Login,
  { isVerified, ...newcomer }: Newcomer,
): Promise<UserRow> =>
  context.db.transaction().execute(async (tx) => {
    const { audit } = context
    const facts = { passwordHash: null, role: 'ROLE_USER', organizationId: null } as const
    const user = await context.accounts.users.create(tx, { ...newcomer, ...facts, isEmailProven: isVerified })
    await requireLink(context, tx, { claims, user })
    const detail = { provider: provider.id, issuer: claims.iss }
    await audit.record(tx, { action: 'account.register', by: asPrincipal(user), from, detail })
    return user
  })

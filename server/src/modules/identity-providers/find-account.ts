/**
 * Whose account a login at an organization's provider opens: by issuer and subject; else the member with the address that
 * the provider vouches for; else a new member. Only of this organization: the provider is its administrator's choice, so
 * it must open nobody else's account, however it names people.
 */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { ProvidersContext } from './context.ts'
import { issuerOf } from './issuer-of.ts'
import type { ProviderRow } from './queries.ts'

export interface Confirmed {
  provider: ProviderRow
  subject: string
  /** Of one of the provider's domains, and vouched for. */
  email: string | undefined
  name: string
  from: Origin
}

export const notAllowed = (why: string): AppError => new AppError('sso_not_allowed', { detail: why })

export const findAccount = async (context: ProvidersContext, confirmed: Confirmed): Promise<UserRow> => {
  const user = await findOrMake(context, confirmed).catch((problem: unknown) => {
    // Another tab of the same newcomer was faster: now there is somebody to find.
    if (problem instanceof AppError && problem.code === 'email_taken') return findOrMake(context, confirmed)
    throw problem
  })
  if (user.status !== 'ACTIVE') throw notAllowed('the account is deactivated')
  return user
}

const findOrMake = (context: ProvidersContext, confirmed: Confirmed): Promise<UserRow> =>
  context.db.transaction().execute(async (tx) => {
    const { provider, subject, email, from } = confirmed
    const { accounts, audit } = context
    const { organizationId } = provider
    const issuer = issuerOf(provider)
    const known = await accounts.identities.findUserUnscoped(tx, { issuer, subject })
    if (known && known.organizationId !== organizationId) throw notAllowed('the account left the organization')
    if (known) return known.email === email ? proved(context, tx, known, issuer) : known

    const user = (await findMember(context, tx, confirmed)) ?? (await addMember(context, tx, confirmed))
    const isLinked = await accounts.identities.linkUnscoped(tx, { issuer, subject, userId: user.id })
    // Somebody else at the provider has this address by now. Whether they are the same person, nobody here can tell.
    if (!isLinked) throw notAllowed('the account belongs to another subject')
    const target = { kind: 'user', id: user.id }
    const detail = { issuer: provider.settings.issuer, provider: provider.id }
    await audit.record(tx, { action: 'identity_provider.link', by: 'system', target, organizationId, from, detail })
    return proved(context, tx, user, issuer)
  })

/** An unproven account of somebody outside holds no claim on its address: a newcomer takes it over. */
const findMember = async (
  { accounts }: ProvidersContext,
  tx: Db,
  { email, provider }: Confirmed,
): Promise<UserRow | undefined> => {
  if (email === undefined) throw notAllowed('the provider vouches for no address of its domains')
  const user = await accounts.users.findByEmailUnscoped(tx, email)
  if (!user || user.organizationId === provider.organizationId) return user
  if (user.emailProvenAt !== null) throw notAllowed('the account is outside the organization')
  return undefined
}

const addMember = (
  { organizations }: ProvidersContext,
  tx: Db,
  { provider: { organizationId, createsPeople }, email = '', name, from }: Confirmed,
): Promise<UserRow> => organizations.addMember(tx, { organizationId, email, name, from, mustBeInvited: !createsPeople })

/** Somebody else may have made an unproven account: what they had of it ends. */
const proved = async ({ accounts }: ProvidersContext, tx: Db, user: UserRow, issuer: string): Promise<UserRow> => {
  if (user.emailProvenAt !== null) return user
  const { id: userId, email } = user
  await accounts.users.proveAddressUnscoped(tx, { userId, email, proof: { vouchedBy: issuer }, keeps: 'nothing' })
  return (await accounts.users.findByIdUnscoped(tx, userId)) ?? user
}

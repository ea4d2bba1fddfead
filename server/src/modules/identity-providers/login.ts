/**
 * A sign-in at an organization's own provider: the browser is sent there with secrets that only it can bring back, and
 * opens an account of that organization when it does.
 */
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import { returnPath } from '#kernel/http/pages/return-path.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { isUuid } from '#kernel/ids.ts'
import { type BegunLogin, OidcError } from '#kernel/oidc/index.ts'
import { externalLoginOf } from '#modules/accounts/index.ts'
import { applyMapping } from './apply-mapping.ts'
import { nameIn, vouchedAddress } from './claims.ts'
import type { ProvidersContext } from './context.ts'
import { findAccount } from './find-account.ts'
import { issuerOf } from './issuer-of.ts'
import { redirectUriOf } from './present.ts'
import { claimLoginUnscoped, findEnabledProviderUnscoped, type ProviderRow, updateProviderUnscoped } from './queries.ts'

const getEnabled = async ({ db, organizations }: ProvidersContext, id: string): Promise<ProviderRow> => {
  const provider = isUuid(id) ? await findEnabledProviderUnscoped(db, id) : undefined
  const organization = provider && (await organizations.findUnscoped(db, provider.organizationId))
  if (!provider || !organization?.active) throw new AppError('provider_not_found')
  return provider
}

interface Start {
  id: string
  returnTo: string | undefined
}

/** Answers the provider's address. */
export const startLogin = async (
  context: ProvidersContext,
  http: HttpCall,
  { id, returnTo }: Start,
): Promise<string> => {
  const provider = await getEnabled(context, id)
  const attempt = { state: randomToken(), nonce: randomToken(), codeVerifier: randomToken() }
  const request = { redirectUri: redirectUriOf(context, provider.id), scope: 'openid email profile' }
  const address = await context.clientOf(provider).authorizationUrl({ ...attempt, ...request })
  context.begunLogins.keep(http, { ...attempt, provider: provider.id, returnTo: returnPath(returnTo) })
  return address
}

interface Callback {
  id: string
  /** As the provider sent it; every value may be anything. */
  query: Record<string, string>
}

/** Answers the page to go to. */
export const finishLogin = async (
  context: ProvidersContext,
  http: HttpCall,
  { id, query }: Callback,
): Promise<string> => {
  const { begunLogins, clock, db } = context
  const provider = await getEnabled(context, id)
  const begun = begunLogins.take(http, { provider: provider.id, state: query.state ?? '' })
  if (!begun) throw new AppError('sso_failed', { detail: 'no begun login of this browser' })
  const claim = { fingerprint: hashToken(`oidc ${begun.state}`), expiresAt: new Date(begun.until), now: clock.now() }
  const isFirst = await claimLoginUnscoped(db, claim)
  if (!isFirst) throw new AppError('sso_failed', { detail: 'this login was finished before' })
  try {
    await signIn(context, http, { provider, begun, query })
  } catch (problem) {
    await recordRefusal(context, http, { provider, problem })
    throw problem
  }
  return begun.returnTo
}

const signIn = async (
  context: ProvidersContext,
  http: HttpCall,
  { provider, begun, query }: { provider: ProviderRow; begun: BegunLogin; query: Callback['query'] },
): Promise<void> => {
  const { accounts, clock, db, organizations } = context
  const url = new URL(redirectUriOf(context, provider.id))
  url.search = new URLSearchParams(query).toString()
  const { claims } = await context.clientOf(provider).exchange({ ...begun, url })

  const verified = await organizations.listDomainsUnscoped(db, provider.organizationId)
  const domains = provider.domains.filter((domain) => verified.includes(domain))
  const email = vouchedAddress(claims, provider.settings, domains)
  const name = nameIn(claims, email ?? '')
  const found = await findAccount(context, { provider, subject: claims.sub, email, name, from: http })
  const user = await applyMapping(context, found, { provider, claims, from: http })

  const external = externalLoginOf({ ...claims, iss: issuerOf(provider) })
  const { session } = await accounts.logins.complete(user, { from: http, method: 'provider', external })
  await updateProviderUnscoped(db, provider.id, { lastLoginAt: clock.now() })
  http.setTokenCookie(session.token, session)
}

/** Administrators read in the audit log why somebody could not get in; the person learns only the code. */
const recordRefusal = async (
  { audit, db }: ProvidersContext,
  http: HttpCall,
  { provider: { id, organizationId }, problem }: { provider: ProviderRow; problem: unknown },
): Promise<void> => {
  if (!(problem instanceof AppError) && !(problem instanceof OidcError)) return
  const detail = { reason: problem instanceof AppError ? problem.message.slice(0, 300) : problem.reason }
  const target = { kind: 'identity_provider', id }
  await audit.record(db, {
    action: 'identity_provider.refuse',
    by: 'system',
    target,
    organizationId,
    from: http,
    detail,
  })
}

/** Creates, changes and removes an organization's identity providers. The client secret goes in and never comes out. */
import type {
  IdentityProviderBody,
  IdentityProviderPatch,
  OidcProviderBody,
} from '@chancery/contract/organizations/identity-providers.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import { checkProvider } from './check-provider.ts'
import { sealSecret } from './clients.ts'
import { getProvider, type ProvidersContext } from './context.ts'
import { issuerOf } from './issuer-of.ts'
import {
  deleteProviderUnscoped,
  hasWorkingProviderUnscoped,
  insertProviderUnscoped,
  listProviders,
  lockProviders,
  type ProviderRow,
  updateProviderUnscoped,
} from './queries.ts'

const mostProviders = 20

interface Request<Body> {
  body: Body
  from: Origin
}

/** One transaction: the organization's providers locked, the work, its audit entry. */
const changing = (
  { audit, db, organizations }: ProvidersContext,
  { actor, action, from }: { actor: OrgActor; action: string; from: Origin },
  work: (tx: Db) => Promise<ProviderRow>,
): Promise<ProviderRow> =>
  db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    await lockProviders(tx, actor)
    const row = await work(tx)
    const { id, name, enabled, domains, settings } = row
    const detail = { name, enabled, domains, issuer: settings.issuer }
    const target = { kind: 'identity_provider', id }
    await audit.record(tx, { action: `identity_provider.${action}`, by: actor, from, target, detail })
    return row
  })

/** Where passwords don't work, the last provider that is known to work must stay. */
const requireWayIn = async (
  { isSsoAvailable, organizations }: ProvidersContext,
  tx: Db,
  organizationId: string,
): Promise<void> => {
  if (isSsoAvailable || (await organizations.findUnscoped(tx, organizationId))?.authProvider !== 'SSO') return
  if (!(await hasWorkingProviderUnscoped(tx, organizationId))) throw new AppError('provider_in_use')
}

/** Of two enabled providers with one domain, neither could tell whose person it is. */
const requireFreeDomains = async (tx: Db, actor: OrgActor, row: Pick<ProviderRow, 'id' | 'enabled' | 'domains'>) => {
  if (!row.enabled) return
  const others = (await listProviders(tx, actor)).filter(({ id, enabled }) => enabled && id !== row.id)
  if (others.some(({ domains }) => domains.some((domain) => row.domains.includes(domain))))
    throw new AppError('provider_domain_taken')
}

export const createProvider = (
  context: ProvidersContext,
  actor: OrgActor,
  { body, from }: Request<IdentityProviderBody>,
): Promise<ProviderRow> =>
  changing(context, { actor, action: 'create', from }, async (tx) => {
    const { clock, ids, sealer } = context
    const { kind, name, enabled, createsPeople, oidc, mapping } = body
    if ((await listProviders(tx, actor)).length >= mostProviders) throw new AppError('plan_limit_reached')
    await checkProvider(context, tx, { actor, ...body })
    const [id, now] = [ids.next(), clock.now()]
    const domains = [...new Set(body.domains)]
    await requireFreeDomains(tx, actor, { id, enabled, domains })
    const { clientSecret = '', ...settings } = oidc
    return insertProviderUnscoped(tx, {
      id,
      organizationId: actor.organizationId,
      kind,
      name,
      enabled,
      domains,
      createsPeople,
      settings: JSON.stringify(settings),
      mapping: JSON.stringify(mapping),
      sealedSecret: clientSecret === '' ? null : sealSecret(sealer, id, clientSecret),
      lastLoginAt: null,
      createdAt: now,
      updatedAt: now,
    })
  })

export const changeProvider = (
  context: ProvidersContext,
  actor: OrgActor,
  { id, body, from }: Request<IdentityProviderPatch> & { id: string },
): Promise<ProviderRow> =>
  changing(context, { actor, action: 'update', from }, async (tx) => {
    const before = await getProvider({ db: tx }, actor, id)
    const { oidc, mapping, domains = before.domains, enabled = before.enabled, ...plain } = body
    await checkProvider(context, tx, { actor, ...body })
    const change = {
      ...plain,
      enabled,
      domains: [...new Set(domains)],
      ...(oidc && changeOfClient(context, before, oidc)),
      ...(mapping && { mapping: JSON.stringify(mapping) }),
    }
    await requireFreeDomains(tx, actor, { id: before.id, enabled, domains })
    const row = await updateProviderUnscoped(tx, before.id, { ...change, updatedAt: context.clock.now() })
    await requireWayIn(context, tx, actor.organizationId)
    return row
  })

/**
 * Without a new secret the stored one stays, as long as it would go to the same provider for the same client: else an
 * administrator could read it by naming an issuer of their own.
 */
const changeOfClient = (
  { sealer }: ProvidersContext,
  { id, settings: before, sealedSecret }: ProviderRow,
  { clientSecret = '', ...settings }: OidcProviderBody,
) => {
  const isSame = settings.issuer === before.issuer && settings.clientId === before.clientId
  if (clientSecret !== '') {
    const sealed = sealSecret(sealer, id, clientSecret)
    return { settings: JSON.stringify(settings), sealedSecret: sealed, ...(!isSame && { lastLoginAt: null }) }
  }
  if (!isSame && sealedSecret !== null)
    throw problem(['oidc', 'clientSecret'], 'must be entered again for another issuer or client', 'value_error')
  return { settings: JSON.stringify(settings), ...(!isSame && { lastLoginAt: null }) }
}

/** Its people keep their accounts, and what they signed in to through it ends. */
export const removeProvider = async (
  context: ProvidersContext,
  actor: OrgActor,
  { id, from }: { id: string; from: Origin },
): Promise<void> => {
  await changing(context, { actor, action: 'delete', from }, async (tx) => {
    const provider = await getProvider({ db: tx }, actor, id)
    await deleteProviderUnscoped(tx, provider.id)
    await requireWayIn(context, tx, actor.organizationId)
    await context.accounts.sessions.revokeExternalUnscoped(tx, { issuer: issuerOf(provider) }, context.clock.now())
    return provider
  })
  context.accounts.forgetActors()
}

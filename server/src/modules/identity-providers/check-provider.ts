/** Checks that the form's own rules cannot make: whose domains and groups these are, and where the issuer is. */
import type { IdentityProviderPatch } from '@chancery/contract/organizations/identity-providers.ts'
import type { Db } from '#kernel/db/database.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import { hostPortOf } from '#kernel/outbound/index.ts'
import type { ProvidersContext } from './context.ts'

type Deps = Pick<ProvidersContext, 'config' | 'organizations'>

export const checkProvider = async (
  { config, organizations }: Deps,
  tx: Db,
  {
    actor,
    domains = [],
    oidc,
    mapping,
  }: Pick<IdentityProviderPatch, 'domains' | 'oidc' | 'mapping'> & { actor: OrgActor },
): Promise<void> => {
  const verified = await organizations.listDomainsUnscoped(tx, actor.organizationId)
  const foreign = domains.findIndex((domain) => !verified.includes(domain))
  if (foreign >= 0) throw problem(['domains', foreign], 'must be a verified domain of the organization', 'not_verified')
  if (oidc && !isUsable(oidc.issuer, config.OUTBOUND_ALLOWED_HOSTS))
    throw problem(['oidc', 'issuer'], 'must be an https address', 'value_error')
  const ids = (mapping?.groups ?? []).map(({ groupId }) => groupId)
  const groups = await organizations.units.listGroupsAmongUnscoped(tx, ids)
  const ours = new Set(groups.filter((group) => group.organizationId === actor.organizationId).map(({ id }) => id))
  const unknown = ids.findIndex((id) => !ours.has(id))
  if (unknown >= 0) throw problem(['mapping', 'groups', unknown, 'groupId'], 'must be one of your groups', 'unknown')
}

/** Who reads along on the way to the provider could sign in as anybody; only an operator can say that nobody does. */
const isUsable = (issuer: string, allowedHosts: readonly string[]): boolean =>
  URL.canParse(issuer) && (new URL(issuer).protocol === 'https:' || allowedHosts.includes(hostPortOf(issuer)))

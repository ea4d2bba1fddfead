/** Our clients at the providers: the stored settings with the secret opened. */
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import { SealError, type Sealer } from '#kernel/crypto/sealer.ts'
import { createOidcClients, type OidcClient } from '#kernel/oidc/index.ts'
import type { ProvidersContext } from './context.ts'
import type { ProviderRow } from './queries.ts'

const sealContext = storedSeal({
  purpose: 'identity provider',
  table: 'identity_providers',
  columns: ['sealed_secret'],
  by: ['id'],
})

export const sealSecret = (sealer: Sealer, id: string, secret: string): string => sealer.seal(secret, sealContext(id))

/** Undefined where there is none, or none that we can still open: then it must be entered again. */
const openSecret = (sealer: Sealer, { id, sealedSecret }: ProviderRow): string | undefined => {
  if (sealedSecret === null) return undefined
  try {
    return sealer.open(sealedSecret, sealContext(id))
  } catch (problem) {
    if (problem instanceof SealError) return undefined
    throw problem
  }
}

/** What a provider says of itself is up to half a megabyte, so only those used last are remembered. */
const mostRemembered = 200

type Deps = Parameters<typeof createOidcClients>[0] & { sealer: Sealer }

export const createClients = ({ sealer, ...deps }: Deps): Pick<ProvidersContext, 'clientOf' | 'newClientOf'> => {
  const clients = createOidcClients(deps)
  const known = new Map<string, { updatedAt: number; client: OidcClient }>()

  const newClientOf = (provider: ProviderRow): OidcClient => {
    const { issuer, clientId } = provider.settings
    return clients.create({ issuer, clientId, clientSecret: openSecret(sealer, provider), isForeign: true })
  }
  return {
    newClientOf,
    clientOf: (provider) => {
      const updatedAt = provider.updatedAt.getTime()
      const found = known.get(provider.id)
      const entry = found?.updatedAt === updatedAt ? found : { updatedAt, client: newClientOf(provider) }
      known.delete(provider.id)
      known.set(provider.id, entry)
      const [oldest] = known.keys()
      if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest)
      return entry.client
    },
  }
}

/**
 * A provider's discovery document, asked for on first use and again every ten minutes. A provider that is down stops
 * nobody from starting; one that goes down later is remembered as it was.
 */
import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as joseFetch } from 'jose'
import { allowInsecureRequests, type Configuration, clockTolerance, customFetch, discovery } from 'openid-client'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { hostPortOf, type Outbound } from '../outbound/index.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { asOidcError, OidcError } from './oidc-error.ts'

/** One of `issuer` and `discoveryUrl`. An issuer must be what the provider calls itself, to the letter. */
export interface OidcSettings {
  issuer?: string | undefined
  /** The address of the well-known document; the issuer is then what it says. */
  discoveryUrl?: string | undefined
  clientId: string
  /** A public client has none. */
  clientSecret?: string | undefined
  /** A tenant chose it: its host must be public like any other, or one of OUTBOUND_ALLOWED_HOSTS. */
  isForeign?: boolean
}

export interface Discovered {
  configuration: Configuration
  issuer: string
  /** Keys of the provider's signatures; fetched when one is unknown, at most every 30 seconds. */
  keys: JWTVerifyGetKey
  /** Asks for the keys now, and answers their algorithms. */
  readKeys(): Promise<string[]>
}

export interface DiscoveryDeps {
  outbound: Outbound
  log: Log
  clock: Clock
}

const freshMs = 600_000
/** In seconds: how far the two clocks may be apart. */
export const mostSkewSec = 60

const addressOf = ({ discoveryUrl, issuer }: OidcSettings): string => {
  const address = discoveryUrl ?? issuer
  if (address === undefined) throw new Error('neither an issuer nor a discovery address is configured')
  return address
}

const foreignBytes = 256 * 1024

const fetchFor = (outbound: Outbound, settings: OidcSettings) =>
  settings.isForeign
    ? guardedFetch({ outbound, trusted: undefined, maxBytes: foreignBytes })
    : guardedFetch({ outbound, trusted: hostPortOf(addressOf(settings)) })

const discover = async ({ outbound }: DiscoveryDeps, settings: OidcSettings): Promise<Discovered> => {
  const { issuer, clientId, clientSecret } = settings
  const address = addressOf(settings)
  const fetch = fetchFor(outbound, settings)
  const isPlain = new URL(address).protocol === 'http:'
  const client = { ...(clientSecret && { client_secret: clientSecret }), [clockTolerance]: mostSkewSec }
  const configuration = await discovery(new URL(address), clientId, client, undefined, {
    [customFetch]: fetch as never,
    ...(isPlain ? { execute: [allowInsecureRequests] } : {}),
  })
  const metadata = configuration.serverMetadata()
  if (issuer !== undefined && metadata.issuer !== issuer)
    throw new OidcError('refused', `the provider calls itself ${metadata.issuer}, not ${issuer}`)
  if (!metadata.jwks_uri || (!isPlain && !metadata.jwks_uri.startsWith('https:')))
    throw new OidcError('refused', 'the provider names no usable address for its keys')
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), { [joseFetch]: fetch as never })
  const readKeys = async () => {
    await keys.reload()
    return (keys.jwks()?.keys ?? []).map(({ alg, kty }) => alg ?? kty ?? 'unknown')
  }
  return { configuration, issuer: metadata.issuer, keys, readKeys }
}

export const createDiscovery = (deps: DiscoveryDeps, settings: OidcSettings): (() => Promise<Discovered>) => {
  let known: { at: number; found: Discovered } | undefined
  let asking: Promise<Discovered> | undefined

  const ask = async (): Promise<Discovered> => {
    try {
      const found = await discover(deps, settings)
      known = { at: deps.clock.now().getTime(), found }
      return found
    } catch (problem) {
      const error = asOidcError(problem)
      deps.log.warn({ problem: error.message, reason: error.reason }, 'OpenID discovery failed.')
      if (known && error.reason === 'unavailable') return known.found
      throw error
    } finally {
      asking = undefined
    }
  }

  return () => {
    if (known && deps.clock.now().getTime() - known.at < freshMs) return Promise.resolve(known.found)
    asking ??= ask()
    return asking
  }
}

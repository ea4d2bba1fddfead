/**
 * The addresses that a person or a redirect may name. Pure: it parses once, with the WHATWG parser, and everything
 * after works on the parsed form, so no second reader can understand the same text differently. Whether a name leads to
 * a public address is decided when it is resolved, see `guard.ts`.
 */
import { AppError } from '../errors.ts'
import { blockedPorts } from './blocked-ports.ts'

interface Address {
  readonly url: URL
  readonly origin: string
  /** With the query. */
  readonly path: string
  readonly href: string
  readonly port: number
  /** Lower case, without a trailing dot, IPv6 in brackets. */
  readonly hostPort: string
}

export interface Target {
  readonly address: Address
  /** An administrator named exactly this host and port: it may be private, and on any port. */
  readonly isException: boolean
}

const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' }

export const parseTarget = (text: string, isNamed: (hostPort: string) => boolean): Target => {
  const address = addressOf(text)
  const isException = isNamed(address.hostPort)
  if (!isException) assertOrdinary(address.url.hostname, address.port)
  return { address, isException }
}

/** Parsed addresses are cached: a few are called often, and parsing costs as much as the rest of preparing a call. */
const cached = new Map<string, Address>()
const maxCached = 500
const maxCachedLength = 500

const addressOf = (text: string): Address => {
  const before = cached.get(text)
  if (before) return before
  const address = readAddress(text)
  if (text.length > maxCachedLength) return address
  if (cached.size >= maxCached) cached.clear()
  cached.set(text, address)
  return address
}

const readAddress = (text: string): Address => {
  const url = parseUrl(text)
  const defaultPort = defaultPorts[url.protocol]
  if (defaultPort === undefined) throw blocked('Only http and https addresses may be reached.')
  if (url.username !== '' || url.password !== '') throw blocked('An address must not hold a user name or password.')
  // Setting a part makes the parser start again, so only what needs it is set.
  if (url.hash !== '') url.hash = ''
  if (url.hostname.endsWith('.')) url.hostname = withoutTrailingDot(url.hostname)
  const port = url.port === '' ? defaultPort : url.port
  const { origin, pathname, search, href } = url
  return { url, origin, path: pathname + search, href, port: Number(port), hostPort: `${url.hostname}:${port}` }
}

/** The exact `host:port` of a configured address, to pass as `trusted`. */
export const hostPortOf = (address: string): string => {
  const { hostname, port, protocol } = new URL(address)
  return `${withoutTrailingDot(hostname)}:${port === '' ? (defaultPorts[protocol] ?? '') : port}`
}

/** Reads `OUTBOUND_ALLOWED_HOSTS`. A pair is exact: no wildcard, no range, and the port is part of it. */
export const parseExceptions = (pairs: readonly string[]): ReadonlySet<string> => new Set(pairs.map(parseHostPort))

const parseHostPort = (pair: string): string => {
  const match = /^([^\s/\\@*?#]+):(\d{1,5})$/.exec(pair)
  const url = match && URL.canParse(`http://${pair}`) ? new URL(`http://${pair}`) : undefined
  if (!url || url.hostname === '') throw new Error(`"${pair}" is not an exact host:port pair.`)
  return `${withoutTrailingDot(url.hostname)}:${Number(match?.[2])}`
}

/** For protocols other than HTTP: the same rules on a bare host name or address. */
export const parseHost = (host: string): string => {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const url = parseUrl(`http://${bracketed}/`)
  if (url.pathname !== '/' || url.port !== '' || url.username !== '' || url.search !== '' || url.hash !== '')
    throw blocked()
  return withoutTrailingDot(url.hostname)
}

export const blocked = (detail?: string): AppError =>
  new AppError('outbound_blocked', detail === undefined ? {} : { detail })

/** The parser drops tabs and line ends and turns a backslash into a slash; nobody writes those in good faith. */
const suspicious = /[\\\p{Cc}\s]/u

const parseUrl = (address: string): URL => {
  const url = suspicious.test(address) ? null : URL.parse(address)
  if (!url || url.hostname === '') throw blocked('This is not a usable address.')
  return url
}

const withoutTrailingDot = (hostname: string): string => (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname)

/** Names that never mean a server of the public internet; asking a resolver for them would only tell tales. */
const localSuffixes = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'lan', 'home.arpa', 'onion']

/** The rules for every target that is no exception. */
const assertOrdinary = (hostname: string, port: number): void => {
  assertOrdinaryHost(hostname)
  if (blockedPorts.has(port)) throw blocked('This port may not be reached from here.')
}

export const assertOrdinaryHost = (hostname: string): void => {
  const isLocal = localSuffixes.some((suffix) => hostname === suffix || hostname.endsWith(`.${suffix}`))
  if (isLocal || hostname === '' || hostname.includes('..') || hostname.endsWith('.')) throw blocked()
}

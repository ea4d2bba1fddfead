/** Connections from the environment. Their ids are derived from type and address, so that they are the same on every node and start. */
import { createHash } from 'node:crypto'
import type { ModelsConfig } from '../config.ts'
import { type ConnectionSettings, withoutTrailingSlash } from './connection.ts'

type Named = Pick<
  ModelsConfig,
  | 'UPSTREAM_BASE_URL'
  | 'UPSTREAM_BASE_URLS'
  | 'COMPAT_API_BASE_URL'
  | 'COMPAT_API_BASE_URLS'
  | 'COMPAT_API_KEY'
  | 'COMPAT_API_KEYS'
>

interface Endpoint {
  type: ConnectionSettings['type']
  url: string
  key: string | null
}

export const connectionsOfEnvironment = (config: Named): ConnectionSettings[] => {
  const runtimes = together(config.UPSTREAM_BASE_URL, config.UPSTREAM_BASE_URLS)
  const endpoints: Endpoint[] = [
    ...runtimes.map((url): Endpoint => ({ type: 'upstream', url, key: null })),
    ...providers(config).map((endpoint): Endpoint => ({ type: 'compat', ...endpoint })),
  ]
  const seen = new Map<string, number>()
  return endpoints.map((endpoint) => {
    const url = withoutTrailingSlash(endpoint.url)
    const name = `${endpoint.type} ${url}`
    const nth = (seen.get(name) ?? 0) + 1
    seen.set(name, nth)
    return { ...defaults, ...endpoint, url, id: idOf(`${name} ${nth}`), name: hostOf(url) }
  })
}

const defaults = {
  prefixId: null,
  modelIds: null,
  tags: [],
  enabled: true,
  timeoutSec: null,
  prices: {},
  source: 'environment',
  createdAt: null,
  updatedAt: null,
} as const

const together = (one: string | undefined, several: readonly string[]): string[] =>
  one === undefined || several.includes(one) ? [...several] : [one, ...several]

/** A key belongs to the address at the same position of the list. A single address and a single key belong together, in either spelling. */
const providers = (config: Named): Omit<Endpoint, 'type'>[] => {
  const { COMPAT_API_BASE_URL: one, COMPAT_API_BASE_URLS: several } = config
  const { COMPAT_API_KEY: key, COMPAT_API_KEYS: keys } = config
  const listed = several.map((url, index) => ({
    url,
    key: keys[index] || (several.length === 1 && one === undefined ? key : undefined) || null,
  }))
  if (one === undefined || several.includes(one)) return listed
  return [{ url: one, key: key || (several.length === 0 ? keys[0] : undefined) || null }, ...listed]
}

const hostOf = (url: string): string => new URL(url).host

/** A UUID of version 8, whose bits are free to choose. */
const idOf = (name: string): string => {
  const hash = createHash('sha256').update(`chancery connection ${name}`).digest()
  const bytes = hash.subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

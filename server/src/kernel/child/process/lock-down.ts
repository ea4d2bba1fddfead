/**
 * Takes the network and other processes away from the code that is loaded after it, where Node's permission model does
 * not. This stops libraries, not attackers: code that runs natively in this process can find a way around. Foreign
 * code therefore runs in QuickJS besides, and the kernel's network namespace is the boundary where there is one.
 */
import nodeModule, { registerHooks, syncBuiltinESMExports } from 'node:module'

/** Everything else that Node has is refused, also under its old names (`_http_client`). */
const harmless = new Set([
  'assert',
  'assert/strict',
  'async_hooks',
  'buffer',
  'console',
  'constants',
  'crypto',
  'diagnostics_channel',
  'events',
  'fs',
  'fs/promises',
  'module',
  'os',
  'path',
  'path/posix',
  'path/win32',
  'perf_hooks',
  'process',
  'punycode',
  'querystring',
  'stream',
  'stream/consumers',
  'stream/promises',
  'stream/web',
  'string_decoder',
  'timers',
  'timers/promises',
  'url',
  'util',
  'util/types',
  'v8',
  'vm',
  'zlib',
])
const networked = new Set([
  'net',
  'tls',
  'http',
  'https',
  'http2',
  'dns',
  'dns/promises',
  'dgram',
  '_http_agent',
  '_http_client',
  '_http_common',
  '_http_incoming',
  '_http_outgoing',
  '_http_server',
  '_tls_common',
  '_tls_wrap',
])

class Refused extends Error {
  readonly code = 'child_access_refused'
}

export const lockDown = ({ network }: { network: boolean }): void => {
  const isAllowed = (name: string) => harmless.has(name) || (network && networked.has(name))
  const check = (url: string) => {
    if (url.startsWith('node:') && !isAllowed(url.slice(5))) throw new Refused(`This process may not use ${url}.`)
  }
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      check(found.url)
      return found
    },
    load: (url, context, next) => {
      check(url)
      return next(url, context)
    },
  })
  const refuse = (what: string) => () => {
    throw new Refused(`This process may not use ${what}.`)
  }
  Object.assign(nodeModule, { registerHooks: refuse('module hooks'), register: refuse('module hooks') })
  syncBuiltinESMExports()
  const getBuiltin = process.getBuiltinModule
  const limited = (name: string) => (isAllowed(name.replace(/^node:/, '')) ? getBuiltin(name) : undefined)
  Object.assign(process, { getBuiltinModule: limited, kill: refuse('signals'), dlopen: refuse('native code') })
  if (!network) for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name)
}

/**
 * The first module in every sandbox: gives it the usual names of the web, then the plugin. QuickJS has the language
 * itself and nothing else, so whatever is not set here does not exist for a plugin.
 */
import { AbortProblem, Controller, Signal, Target } from './abort.ts'
import { clearTimer, log, setInterval, setTimeout } from './asks.ts'
import { atob, btoa, Decoder, Encoder, fromBase64, toBase64 } from './bytes.ts'
import { describe, load, receive } from './calls.ts'
import { fetch, HeaderList, Reply } from './fetch.ts'
import { type Host, host, maxTextChars, parse, setHost, stringify } from './host.ts'
import { Address, Params } from './url.ts'

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (value instanceof Error) return `${value.name}: ${value.message}`
  try {
    return stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
const logAs =
  (level: string) =>
  (...values: unknown[]): void =>
    log(level, values.map(textOf).join(' ').slice(0, maxTextChars))

const digest = async (algorithm: string | { name: string }, data: ArrayBuffer | Uint8Array) => {
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data
  const name = typeof algorithm === 'string' ? algorithm : algorithm.name
  return fromBase64(host().digest(name, toBase64(bytes))).buffer
}

const crypto = {
  randomUUID: () => host().randomUuid(),
  getRandomValues: (array: Uint8Array) => {
    array.set(fromBase64(host().randomBytes(array.byteLength)))
    return array
  },
  subtle: { digest },
}

const startedAt = Date.now()

const surroundings = {
  console: {
    log: logAs('info'),
    info: logAs('info'),
    debug: logAs('debug'),
    warn: logAs('warn'),
    error: logAs('error'),
  },
  setTimeout,
  setInterval,
  clearTimeout: clearTimer,
  clearInterval: clearTimer,
  URL: Address,
  URLSearchParams: Params,
  TextEncoder: Encoder,
  TextDecoder: Decoder,
  atob,
  btoa,
  fetch,
  Headers: HeaderList,
  Response: Reply,
  crypto,
  EventTarget: Target,
  AbortController: Controller,
  AbortSignal: Signal,
  DOMException: AbortProblem,
  structuredClone: (value: unknown) => (value === undefined ? undefined : parse(stringify(value))),
  performance: { now: () => Date.now() - startedAt },
}

for (const [name, value] of Object.entries(surroundings))
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })

/** Called by the worker, once, before anything else. */
export const start = (given: Host): void => setHost(given)
export const open = (exported: Record<string, unknown>, settingsText: string): string => {
  load(exported, parse(settingsText))
  return stringify(describe())
}
export { receive }

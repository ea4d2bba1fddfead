/**
 * Maps a provider's failures to our codes, with its own words, redacted. Only what it says about our key (401) is for
 * administrators alone.
 */
import { errorTable } from '@chancery/contract/errors.ts'
import { AppError, type QuotedError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import type { OutboundReply } from '#kernel/outbound/index.ts'

const maxErrorBytes = 64 * 1024
const errorReadMs = 5000
/** Another connection may be waiting to be tried. */
const failureReadMs = 1000
const maxMessageLength = 1000

/** Maps network failures to provider errors. Other codes and the caller's own abort pass unchanged. */
export const asProviderError = (problem: unknown): unknown => {
  if (!(problem instanceof AppError)) return problem
  if (problem.code === 'outbound_timeout') return new AppError('provider_timeout', { cause: problem })
  if (problem.code.startsWith('outbound_')) return new AppError('provider_failed', { cause: problem })
  return problem
}

/** The status a provider answered with, as the cause of our error. */
class ProviderStatus extends Error {
  readonly status: number

  constructor(status: number, message?: string) {
    super(message ? `The provider answered ${status}: ${message}` : `The provider answered ${status}.`)
    this.status = status
  }
}

export const statusOf = ({ cause }: AppError): number | undefined =>
  cause instanceof ProviderStatus ? cause.status : undefined

const unreachableCode =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/

/** True when the server could not even be connected to: no name, no route, no listener, no valid certificate. */
export const isUnreachable = (problem: AppError): boolean => {
  for (let cause: unknown = problem.cause; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && unreachableCode.test(String(cause.code))) return true
  return false
}

/** Whose fault an answer is: these statuses are ours or the provider's, every other 4xx tells the caller what to change. */
const notTheCallers = new Set([401, 408, 429])

/** A reply that is no answer. Reads its body to the end, or to a limit. */
export const refusalOf = async (reply: OutboundReply): Promise<AppError> => {
  const { status, headers } = reply
  const isRefused = status >= 400 && status < 500 && !notTheCallers.has(status)
  const said = errorIn(await readCapped(reply, isRefused ? errorReadMs : failureReadMs))
  const cause = new ProviderStatus(status, status === 401 ? said?.message : undefined)
  if (isRefused) {
    // 404 and 422 mean something to SDKs; the others are bad requests to them.
    const quoted = { ...said?.quoted, ...((status === 404 || status === 422) && { status }) }
    return new AppError('provider_refused', { ...(said?.message && { detail: said.message }), quoted, cause })
  }
  if (status === 429)
    return new AppError('provider_busy', { ...inWords('The model is busy', said), ...retryAfterOf(headers), cause })
  if (status === 408 || status === 504)
    return new AppError('provider_timeout', { ...inWords("The model didn't respond in time", said), cause })
  return new AppError('provider_failed', { ...(status !== 401 && inWords('The model failed', said)), cause })
}

const inWords = (what: string, said: ProviderError | undefined): { detail?: string } =>
  said?.message ? { detail: `${what}: ${said.message}` } : {}

/** An error in a body or frame whose status was 200, which the server itself told. */
class ToldError extends Error {
  readonly isCallersFault: boolean

  constructor(isCallersFault: boolean) {
    super('The provider told an error.')
    this.isCallersFault = isCallersFault
  }
}

const requestAtFault =
  /invalid[_ ](request|image|prompt|argument|value|input)|bad[_ ]request|context[_ ](length|window)|(string|prompt|input)[_ ](above|is )?[_ ]?too[_ ]long|too many tokens|content[_ ](policy|filter|management)|policy[_ ]violation|moderation|safety|unsupported|process image/i

/** The same as a 4xx would say: another request can succeed. */
const isAboutRequest = (body: unknown, { message = '', quoted }: ProviderError): boolean => {
  const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : body
  const { code, status } = isJsonObject(error) ? error : {}
  const told = [code, status].map(Number).find((number) => number >= 400 && number < 600)
  if (told !== undefined) return told < 500 && !notTheCallers.has(told)
  return requestAtFault.test(`${quoted.type ?? ''} ${quoted.code ?? ''} ${message}`)
}

export const failureInBody = (body: unknown): AppError => {
  const said = errorOf(body)
  return new AppError('provider_failed', {
    ...(said?.message && { detail: `The model failed: ${said.message}` }),
    ...(said && { quoted: said.quoted, cause: new ToldError(isAboutRequest(body, said)) }),
  })
}

/** What one caller sent is at fault, not the model. */
export const isCallersFault = ({ cause }: AppError): boolean => cause instanceof ToldError && cause.isCallersFault

export const isErrorInBody = (problem: unknown): boolean =>
  problem instanceof AppError && problem.cause instanceof ToldError

/** The same error without the connection's key in its text. */
export const withoutKey = (problem: unknown, key: string | null): unknown => {
  if (key === null || !(problem instanceof AppError) || !problem.message.includes(key)) return problem
  const { code, message, retryAfterSec, quoted, cause } = problem
  return new AppError(code, {
    detail: message.replaceAll(key, '…'),
    cause,
    ...(retryAfterSec !== undefined && { retryAfterSec }),
    ...(quoted && { quoted }),
  })
}

/**
 * For administrators: what the provider or the network said, after our own words where these say more than the code's
 * sentence ("Couldn't reach the model, or it failed."), which is for callers. Contains no address and no key.
 */
export const problemIn = (problem: unknown): string => {
  if (!(problem instanceof AppError)) return 'Something went wrong on our side.'
  const { cause, code, message } = problem
  if (!(cause instanceof AppError || cause instanceof ProviderStatus)) return message
  const isGeneral = (code === 'provider_failed' || code === 'provider_timeout') && message === errorTable[code].sentence
  return isGeneral ? cause.message : `${message} ${cause.message}`
}

const readCapped = async (reply: OutboundReply, withinMs: number): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  const timer = setTimeout(() => reply.discard(), withinMs)
  try {
    for await (const chunk of reply.body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxErrorBytes) break
    }
  } catch {
    // The bytes read before the failure may be enough.
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

interface ProviderError {
  message: string | undefined
  quoted: QuotedError
}

/** The error in a body, if it is one that we can read. */
export const errorIn = (text: string): ProviderError | undefined => {
  try {
    return errorOf(parseForeign(text))
  } catch {
    return undefined
  }
}

/** `{error: {message, code, param}}`, `{error: "…"}`, `{message}` and `{detail: "…"}` are all in use. */
export const errorOf = (body: unknown): ProviderError | undefined => {
  if (Array.isArray(body)) return errorOf(body[0])
  if (typeof body !== 'object' || body === null) return undefined
  const { error, message, detail, code, param, type } = body as Record<string, unknown>
  if (typeof error === 'object' && error !== null) return errorOf(error)
  const text = [error, message, detail].map(printable).find((one) => one !== undefined)
  const quoted = { code: printable(code), param: printable(param), type: printable(type) }
  return { message: text, quoted: withoutMissing(quoted) }
}

const withoutMissing = (fields: Record<string, string | undefined>): QuotedError =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Some providers repeat the key; see also `withoutKey`. */
const keyLike = /\b(sk-|bearer )[^\s'",;)\]]{8,}/gi

const printable = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined
  const text = value
    .replace(/\p{Cc}+/gu, ' ')
    .replace(keyLike, '$1…')
    .slice(0, maxMessageLength)
    .trim()
  return text === '' ? undefined : text
}

const retryAfterOf = (headers: ReadonlyMap<string, string>): { retryAfterSec?: number } => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterSec: Math.min(Math.ceil(seconds), 3600) } : {}
}

/** What goes wrong at a provider, as one of our codes. Its own words go on only where they are meant for the caller. */
import { AppError, type QuotedError } from '#kernel/errors.ts'
import type { OutboundReply } from '#kernel/outbound/index.ts'

const maxErrorBytes = 64 * 1024
const errorReadMs = 5000
const longestMessage = 1000

/** Our own codes and the caller's own abort pass; whatever the way there met becomes the provider's failure. */
export const asProviderError = (problem: unknown): unknown => {
  if (!(problem instanceof AppError)) return problem
  if (problem.code === 'outbound_timeout') return new AppError('provider_timeout', { cause: problem })
  if (problem.code.startsWith('outbound_')) return new AppError('provider_failed', { cause: problem })
  return problem
}

/** The statuses by which a provider tells the caller, not us, what to change. */
const callersFault = new Set([400, 404, 405, 409, 413, 415, 422])

/** A reply that is no answer. Reads its body to the end, or to a limit. */
export const refusalOf = async (reply: OutboundReply): Promise<AppError> => {
  const { status, headers } = reply
  if (callersFault.has(status)) {
    const said = errorIn(await readCapped(reply))
    // 404 and 422 mean something to SDKs; the others are bad requests to them.
    const quoted = { ...said?.quoted, ...((status === 404 || status === 422) && { status }) }
    return new AppError('provider_refused', { ...(said?.message && { detail: said.message }), quoted })
  }
  const cause = new Error(`${statusSentence} ${status}.`)
  reply.discard()
  if (status === 429) return new AppError('provider_busy', { ...retryAfterOf(headers), cause })
  if (status === 408 || status === 504) return new AppError('provider_timeout', { cause })
  return new AppError('provider_failed', { cause })
}

/** An error in a body or frame whose status was 200. */
export const failureInBody = (body: unknown): AppError => {
  const said = errorOf(body)
  return new AppError('provider_failed', {
    ...(said?.message && { detail: `The model failed: ${said.message}` }),
    ...(said && { quoted: said.quoted }),
  })
}

/** The same without the connection's own key, whatever it looks like. */
export const withoutKey = (problem: unknown, key: string | null): unknown => {
  if (key === null || !(problem instanceof AppError) || !problem.message.includes(key)) return problem
  const { code, message, retryAfterSec, quoted } = problem
  return new AppError(code, {
    detail: message.replaceAll(key, '…'),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
    ...(quoted && { quoted }),
  })
}

/** For administrators: the sentence, and what the provider or the way there said. Holds no address and no key. */
export const problemIn = (problem: unknown): string => {
  if (!(problem instanceof AppError)) return 'Something went wrong on our side.'
  const { cause } = problem
  const more = cause instanceof AppError || (cause instanceof Error && cause.message.startsWith(statusSentence))
  return more && cause instanceof Error ? `${problem.message} ${cause.message}` : problem.message
}

const statusSentence = 'The provider answered'

const readCapped = async (reply: OutboundReply): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  const timer = setTimeout(() => reply.discard(), errorReadMs)
  try {
    for await (const chunk of reply.body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxErrorBytes) break
    }
  } catch {
    // What came before the failure may still say enough.
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
    return errorOf(JSON.parse(text))
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

/** Some providers repeat the key they were sent; see also `withoutKey`. */
const keyLike = /\b(sk-|bearer )[^\s'"]{8,}/gi

const printable = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined
  const text = value
    .replace(/\p{Cc}+/gu, ' ')
    .replace(keyLike, '$1…')
    .slice(0, longestMessage)
    .trim()
  return text === '' ? undefined : text
}

const retryAfterOf = (headers: ReadonlyMap<string, string>): { retryAfterSec?: number } => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterSec: Math.min(Math.ceil(seconds), 3600) } : {}
}

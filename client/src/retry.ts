/**
 * Which failed calls are made again, and when. A refusal that changed nothing (too many requests, the server is starting,
 * the database is full) is always tried again. Where it is unknown whether the call was done, only if doing it twice is
 * the same as doing it once.
 */
import type { Method } from '@chancery/contract/endpoint.ts'
import type { ErrorCode } from '@chancery/contract/errors.ts'
import { ApiError } from './api-error.ts'

export interface RetryOptions {
  /** Tries beside the first one. 3 unless told otherwise; 0 for none. */
  retries?: number
  /** A server that asks for a longer wait than this gets no other try. A minute unless told otherwise. */
  longestWaitMs?: number
}

const changedNothing: readonly ErrorCode[] = [
  'too_many_requests',
  'quota_exceeded',
  'not_ready',
  'database_full',
  'database_unavailable',
  'database_timeout',
]

const firstWaitMs = 500
const usual = { retries: 3, longestWaitMs: 60_000 }

interface Call {
  method: Method
  /** Has an idempotency key. */
  isNamed: boolean
  /** Refused if somebody else changed the same thing: a second try would be its own somebody. */
  hasVersion: boolean
}

const isRepeatable = ({ method, isNamed, hasVersion }: Call): boolean =>
  isNamed || method === 'GET' || (method === 'PUT' && !hasVersion)

const mayPass = (error: ApiError): boolean =>
  error.is('unreachable', 'request_timeout') || error.status === 429 || [502, 503, 504].includes(error.status)

/** How long to wait before the next try, or undefined if there is none. `failures` is how many tries have failed. */
export const waitBeforeRetry = (
  error: unknown,
  { call, failures, options = {} }: { call: Call; failures: number; options?: RetryOptions },
): number | undefined => {
  const { retries, longestWaitMs } = { ...usual, ...options }
  if (failures > retries || !(error instanceof ApiError)) return undefined
  const isSafe = error.is(...changedNothing) || (mayPass(error) && isRepeatable(call))
  if (!isSafe) return undefined
  if (error.retryAfterSec === undefined) return Math.random() * Math.min(firstWaitMs * 2 ** failures, longestWaitMs)
  const askedMs = error.retryAfterSec * 1000
  return askedMs <= longestWaitMs ? askedMs : undefined
}

export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>

/** Rejects with the signal's reason. */
export const sleep: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })

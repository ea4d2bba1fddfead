/** Why a login at another server came to nothing. The message is for the log; people get a code of the caller's choice. */
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { AppError } from '../errors.ts'

export class OidcError extends Error {
  override readonly name = 'OidcError'
  /** `unavailable`: it does not answer as it should, try again. `refused`: what it said, or was said, cannot be trusted. */
  readonly reason: 'unavailable' | 'refused'

  constructor(reason: OidcError['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

/** A server that answers in the wrong shape is as good as away; one that answers wrong things is not to be believed. */
const unavailableCodes = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_TIMEOUT',
])

const isUnavailable = (problem: unknown): boolean => {
  if (problem instanceof AppError) return problem.code.startsWith('outbound_')
  if (problem instanceof ResponseBodyError) return problem.status >= 500
  if (problem instanceof AuthorizationResponseError) return problem.error === 'temporarily_unavailable'
  if (problem instanceof ClientError) {
    const cause = problem.cause
    return unavailableCodes.has(problem.code ?? '') || (cause instanceof AppError && isUnavailable(cause))
  }
  return false
}

export const asOidcError = (problem: unknown): OidcError => {
  if (problem instanceof OidcError) return problem
  const message = problem instanceof Error ? problem.message : 'unknown problem'
  return new OidcError(isUnavailable(problem) ? 'unavailable' : 'refused', message, problem)
}

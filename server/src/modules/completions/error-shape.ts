/** Errors as the SDKs of the chat-completion API read them, in addition to our own body. */
import type { ErrorBody, ErrorKind } from '@chancery/contract/errors.ts'
import type { AppError } from '#kernel/errors.ts'

const types: Record<ErrorKind, string> = {
  invalid: 'invalid_request_error',
  auth: 'authentication_error',
  forbidden: 'permission_error',
  missing: 'invalid_request_error',
  conflict: 'invalid_request_error',
  limit: 'rate_limit_error',
  provider: 'server_error',
  server: 'server_error',
}

export interface ErrorFacts {
  message: string
  type: string
  code: string
  param: string | null
}

export const errorFacts = (error: AppError): ErrorFacts => {
  const [problem] = error.problems ?? []
  const param = problem ? problem.loc.slice(1).join('.') : null
  return {
    message: problem ? `${param}: ${problem.msg}` : error.message,
    type: error.quoted?.type ?? types[error.kind],
    code: error.quoted?.code ?? error.code,
    param: error.quoted?.param ?? param,
  }
}

export const withErrorFacts = (body: ErrorBody, error: AppError): ErrorBody & { error: ErrorFacts } => ({
  ...body,
  error: errorFacts(error),
})

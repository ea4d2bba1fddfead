/** Errors as clients of the messages format read them, by status; our own body is beside it. */

import type { FormatErrorType } from '@chancery/contract/chats/messages-format.ts'
import type { ErrorBody } from '@chancery/contract/errors.ts'
import type { AppError } from '#kernel/errors.ts'
import type { ErrorShape } from '#kernel/http/route.ts'

interface FormatError {
  type: 'error'
  error: { type: FormatErrorType; message: string }
  request_id: string
}

export const messagesErrorShape: ErrorShape = (body, error): FormatError & ErrorBody => ({
  ...body,
  type: 'error',
  error: { type: errorTypeOf(error.status), message: sentenceOf(body) },
})

const types: Record<number, FormatErrorType> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

const errorTypeOf = (status: number): FormatErrorType =>
  types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')

/** A failure after the headers are sent, as an event of the stream. */
export const errorEvent = ({ status, message }: AppError, requestId: string): FormatError => ({
  type: 'error',
  error: { type: errorTypeOf(status), message },
  request_id: requestId,
})

/** That API has one message where we list every field. */
const sentenceOf = ({ detail }: ErrorBody): string =>
  typeof detail === 'string' ? detail : detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')

/** Errors as clients of the messages format read them, by status and, within a stream, by code; our own body beside it. */
import { type ErrorBody, type ErrorCode, errorTable } from '@chancery/contract/errors.ts'
import type { FormatErrorType } from '@chancery/contract/messages-format.ts'
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

export const errorTypeOf = (status: number): FormatErrorType =>
  types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')

/** An error frame of the chat-completion stream. Only codes of our own tell a status. */
export const errorEvent = (error: unknown, requestId: string): FormatError => {
  const { message, code } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  const entry = typeof code === 'string' && Object.hasOwn(errorTable, code) ? errorTable[code as ErrorCode] : undefined
  return {
    type: 'error',
    error: {
      type: entry ? errorTypeOf(entry.status) : 'api_error',
      message: typeof message === 'string' && message !== '' ? message : errorTable.provider_failed.sentence,
    },
    request_id: requestId,
  }
}

/** That API has one sentence where we name every field. */
const sentenceOf = ({ detail }: ErrorBody): string =>
  typeof detail === 'string' ? detail : detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')

/** Turns any failure to reach another server into one of our codes. Addresses stay in `cause`, which only the log sees. */
import { AppError } from '../errors.ts'

const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
])
const overflowCodes = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'])

export const asOutboundError = (cause: unknown): AppError => {
  if (cause instanceof AppError) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (timeoutCodes.has(code)) return new AppError('outbound_timeout', { cause })
  if (overflowCodes.has(code)) return new AppError('outbound_too_large', { cause })
  if (code === 'UND_ERR_INVALID_ARG')
    return new AppError('invalid_request', { detail: 'A header or the method is not valid in a request.', cause })
  return new AppError('outbound_failed', { cause })
}

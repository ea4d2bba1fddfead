/** Turns anything thrown into the one error body. Nothing internal is sent: no stack, no SQL, no path. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody } from '@chancery/contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BlobStoreUnavailable } from '../../blobs/index.ts'
import { isDatabaseTimeout, isDatabaseUnavailable, isDiskFull } from '../../db/failures.ts'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'

/** Fastify's error codes and ours. */
const frameworkCodes: Record<string, AppError['code']> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
}

export const asAppError = (problem: unknown): AppError => {
  if (problem instanceof AppError) return problem
  if (typeof problem !== 'object' || problem === null) return new AppError('internal_error', { cause: problem })
  if (problem instanceof BlobStoreUnavailable)
    return new AppError('s3_unavailable', { cause: problem, retryAfterSec: 5 })
  const { code, statusCode } = problem as { code?: unknown; statusCode?: unknown }
  const known = typeof code === 'string' ? frameworkCodes[code] : undefined
  if (known) return new AppError(known, { cause: problem })
  if (isDiskFull(problem)) return new AppError('database_full', { cause: problem, retryAfterSec: 30 })
  if (isDatabaseTimeout(problem)) return new AppError('database_timeout', { cause: problem, retryAfterSec: 5 })
  if (isDatabaseUnavailable(problem)) return new AppError('database_unavailable', { cause: problem, retryAfterSec: 2 })
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new AppError('invalid_request', { cause: problem })
  return new AppError('internal_error', { cause: problem })
}

export const errorBody = (error: AppError, requestId: string, traceId?: string): ErrorBody => ({
  detail: error.problems ?? error.message,
  code: error.code,
  request_id: requestId,
  ...(traceId !== undefined && { trace_id: traceId }),
})

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

export const replyWithError = (log: Log, problem: unknown, { request, reply }: Exchange): void => {
  const error = asAppError(problem)
  if (error.code === 'internal_error') log.error({ id: request.id, err: error.cause ?? error }, 'request failed')
  else if (error.status >= 500) log.warn({ id: request.id, code: error.code, detail: error.message }, 'request refused')
  const body = errorBody(error, request.id, request.span?.context.traceId)
  const {
    errorShape: shape,
    errorType = 'application/json; charset=utf-8',
    challenge,
  } = request.routeOptions?.config ?? {}
  if (error.status === 401 && challenge !== undefined) reply.header('www-authenticate', challenge)
  if (error.retryAfterSec !== undefined) reply.header('retry-after', String(Math.ceil(error.retryAfterSec)))
  reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type(errorType)
    .serializer(JSON.stringify)
    .send(shape ? shape(body, error) : body)
}

/** A client that is still sending has this long to read why it was refused. */
const lingerMs = 1000

/** For requests that never reach a handler. The connection is closed. */
export const refuseOnSocket = (socket: Socket, error: AppError, requestId: string): void => {
  const body = JSON.stringify(errorBody(error, requestId))
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Closing at once would reset the connection, and the reply would be lost.
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

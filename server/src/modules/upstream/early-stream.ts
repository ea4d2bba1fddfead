/**
 * A stream in the common format has its head early when the backend is silent, as chat completions do. What would have had
 * a status of its own is then told in the stream, as the API of the path tells it.
 */
import { AppError } from '#kernel/errors.ts'
import { withEarlyHead } from '#kernel/http/replies/early-head.ts'
import { asAppError, errorBody } from '#kernel/http/replies/error-reply.ts'
import { eventStreamHeaders, type RawReply } from '#kernel/http/replies/raw-reply.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import { shapeFor } from './errors.ts'

interface Stream {
  /** At the runtime. */
  path: string
  requestId: string
  silenceMs: number
}

export const withEarlyStream = (
  reply: Promise<RawReply>,
  { path, requestId, silenceMs }: Stream,
): Promise<RawReply> => {
  let isEarly = false
  const failed = failureFrame({ path, requestId })
  const streamed = reply.then(({ body, ...head }) => {
    if (!isEarly || typeof body !== 'string') return { ...head, body }
    const refusal = refusalIn(body)
    if (refusal === undefined) throw new AppError('provider_failed')
    return { ...head, body: async (outlet) => outlet.end(errorFrame(path, refusal)) } satisfies RawReply
  })
  return withEarlyHead(streamed, {
    silenceMs,
    headers: () => {
      isEarly = true
      return eventStreamHeaders
    },
    failed,
  })
}

/** A failure as an event of the path's API. */
export const failureFrame =
  ({ path, requestId }: Pick<Stream, 'path' | 'requestId'>) =>
  (problem: unknown): string => {
    const error = asAppError(problem)
    const shaped = shapeFor(path)(errorBody(error, requestId), error)
    return errorFrame(path, isJsonObject(shaped) ? shaped.error : undefined)
  }

/** The `error` of a refusal of ours. */
const refusalIn = (body: string): unknown => {
  const read: unknown = parseOwn(body)
  return isJsonObject(read) ? read.error : undefined
}

const errorFrame = (path: string, error: unknown): string => {
  if (path.endsWith('/messages')) return typed({ type: 'error', error })
  if (path.endsWith('/responses')) return typed({ ...(error as object), type: 'error' })
  return `data: ${JSON.stringify({ error })}\n\ndata: [DONE]\n\n`
}

const typed = (event: object): string => `event: error\ndata: ${JSON.stringify(event)}\n\n`

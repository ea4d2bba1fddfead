/** Errors as clients of a runtime read them, in addition to our own body: a string for native paths, an object for `/v1`. */
import { AppError } from '#kernel/errors.ts'
import { errorBody } from '#kernel/http/replies/error-reply.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { ErrorShape } from '#kernel/http/route.ts'
import { type BackendReply, errorIn } from '#modules/models/index.ts'

const nativeShape: ErrorShape = (body, error) => ({ ...body, error: error.message })

const compatShape: ErrorShape = (body, { message, code, kind, quoted }) => {
  const type = kind === 'provider' || kind === 'server' ? 'server_error' : 'invalid_request_error'
  return {
    ...body,
    error: { message, type: quoted?.type ?? type, code: quoted?.code ?? code, param: quoted?.param ?? null },
  }
}

export const shapeFor = (path: string): ErrorShape => (path.startsWith('/v1/') ? compatShape : nativeShape)

const maxErrorBytes = 64 * 1024
const errorReadMs = 5000

/**
 * A backend's refusal: its status and message. 401 and 403 are about our key, not about the caller, so they become 502: a
 * 401 would sign the caller out.
 */
export const refusalReply = async (
  reply: BackendReply,
  { path, requestId }: { path: string; requestId: string },
): Promise<RawReply> => {
  const isOurs = reply.status === 401 || reply.status === 403
  const status = isOurs ? 502 : reply.status
  const said = isOurs ? undefined : errorIn(await readCapped(reply))
  if (isOurs) reply.body.destroy()
  const error = new AppError(codeOf(status), {
    ...(said?.message && { detail: said.message }),
    ...(said && { quoted: said.quoted }),
  })
  const retryAfter = reply.headers.get('retry-after')
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(status === 429 && retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) && { 'retry-after': retryAfter }),
    },
    body: JSON.stringify(shapeFor(path)(errorBody(error, requestId), error)),
  }
}

const codeOf = (status: number): AppError['code'] => {
  if (status === 429) return 'provider_busy'
  return status >= 500 || status < 400 ? 'provider_failed' : 'provider_refused'
}

const readCapped = async ({ body }: BackendReply): Promise<string> => {
  const pieces: Buffer[] = []
  let size = 0
  const timer = setTimeout(() => body.destroy(), errorReadMs)
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      pieces.push(piece)
      size += piece.length
      if (size >= maxErrorBytes) break
    }
  } catch {
    // The bytes before the failure may still hold the message.
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(pieces).toString('utf8')
}

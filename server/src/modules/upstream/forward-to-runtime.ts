/** Calls that concern a whole runtime: its version, and maintenance by the platform admin. */
import type { RuntimeChoice } from '@chancery/contract/models/upstream.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { Backend, BackendRequest, Models } from '#modules/models/index.ts'
import { refusalReply } from './errors.ts'
import type { Fields } from './model-defaults.ts'
import { readJsonOf } from './read-json.ts'
import { streamReply } from './stream-reply.ts'
import { tryBackends } from './try-backends.ts'

interface Forwarded extends Omit<BackendRequest, 'signal'> {
  http: Pick<HttpCall, 'requestId' | 'signal'>
}

/** Forwards to the first runtime that answers. */
export const forwardToAny = async (models: Models, { http, ...request }: Forwarded): Promise<RawReply> => {
  const reply = await tryBackends(requireRuntimes(models), () => ({ ...request, signal: http.signal }))
  return reply.status < 400
    ? streamReply(reply)
    : refusalReply(reply, { path: request.path, requestId: http.requestId })
}

/** Forwards to this runtime only. */
export const forwardTo = async (runtime: Backend, { http, ...request }: Forwarded): Promise<RawReply> => {
  const reply = await runtime.fetch({ ...request, signal: http.signal })
  return reply.status < 400
    ? streamReply(reply)
    : refusalReply(reply, { path: request.path, requestId: http.requestId })
}

export const chosenRuntime = (models: Models, { connection_id: id }: RuntimeChoice): Backend => {
  const runtimes = requireRuntimes(models)
  const chosen = id === undefined ? runtimes[0] : runtimes.find(({ connectionId }) => connectionId === id)
  if (!chosen) throw new AppError('connection_not_found')
  return chosen
}

/** The runtime that serves a model, and the request with the runtime's name for it. */
export const locateModel = async (
  models: Models,
  actor: Actor,
  { body, fields, choice }: { body: Fields; fields: readonly string[]; choice: RuntimeChoice },
): Promise<{ runtime: Backend; body: Fields }> => {
  if (choice.connection_id !== undefined) return { runtime: chosenRuntime(models, choice), body }
  const field = fields.find((name) => typeof body[name] === 'string')
  if (field === undefined) throw new AppError('model_not_found')
  requireRuntimes(models)
  const backends = await models.resolveBackends(actor, String(body[field]))
  const runtime = backends.find(({ type }) => type === 'upstream')
  if (!runtime) throw new AppError('model_not_found')
  return { runtime, body: { ...body, [field]: runtime.nativeId } }
}

/** The loaded models of all runtimes. A runtime that doesn't answer contributes none. */
export const listRunning = async (models: Models, signal: AbortSignal): Promise<{ models: unknown[] }> => {
  const replies = await Promise.allSettled(
    requireRuntimes(models).map((runtime) => readJsonOf(runtime, { path: '/api/ps', signal })),
  )
  return {
    models: replies.flatMap((reply) => {
      const found = reply.status === 'fulfilled' ? (reply.value as { models?: unknown } | null)?.models : undefined
      return Array.isArray(found) ? found : []
    }),
  }
}

const requireRuntimes = (models: Models): Backend[] => {
  const runtimes = models.listRuntimes()
  if (runtimes.length === 0) throw new AppError('no_runtime')
  return runtimes
}

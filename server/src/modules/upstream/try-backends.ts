/** Tries one backend after the other until one answers. Once a reply has started, no other backend is tried. */
import { AppError } from '#kernel/errors.ts'
import type { Backend, BackendReply, BackendRequest } from '#modules/models/index.ts'

export const tryBackends = async (
  backends: readonly Backend[],
  requestFor: (backend: Backend) => BackendRequest,
): Promise<BackendReply> => {
  let problem: unknown = new AppError('provider_failed')
  for (const backend of backends)
    try {
      const reply = await backend.fetch(requestFor(backend))
      if (backend === backends.at(-1) || !isBroken(reply)) return reply
      reply.body.destroy()
    } catch (failure) {
      if (!isDead(failure)) throw failure
      problem = failure
    }
  throw problem
}

const isBroken = ({ status }: BackendReply): boolean => status >= 500 || status === 429

const isDead = (failure: unknown): boolean =>
  failure instanceof AppError && (failure.code === 'provider_failed' || failure.code === 'provider_timeout')

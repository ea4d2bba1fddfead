/**
 * The one gate every request passes before its body is read: who is it, may this key use this address,
 * did our own page send it, may they come in.
 */
import type { FastifyRequest } from 'fastify'
import { createHeaderCheck } from '../crypto/tokens.ts'
import { AppError } from '../errors.ts'
import { type Access, requireAccess } from './access.ts'
import type { Actor, Authenticate } from './actor.ts'
import { type Presented, presentedCredential } from './credential.ts'
import { isRouteAllowed } from './normalise-path.ts'
import { isSameOriginWrite } from './same-origin.ts'

export interface Gate {
  /** Undefined for public routes and for the ingest key, which is nobody's. A promise only when the caller is not known already. */
  admit(request: FastifyRequest, access: Access, alsoKeyHeaders?: readonly string[]): Actor | undefined | Promise<Actor>
}

interface Options {
  authenticate: Authenticate
  keyHeaders: readonly string[]
  externalUrl: string | undefined
  /** What opens the `ingestKey` routes to other systems; without one they are closed to them. */
  ingestKey?: string | undefined
}

const ingestHeader = 'x-api-key'

export const createGate = ({ authenticate, keyHeaders, externalUrl, ingestKey }: Options): Gate => {
  const isIngestKey = ingestKey === undefined ? () => false : createHeaderCheck(ingestKey)
  /** Whether it is the ingest key that lets the request in. A person's credential decides where one is sent instead. */
  const bringsIngestKey = ({ headers }: FastifyRequest): boolean => {
    const given = headers[ingestHeader]
    if (typeof given === 'string' && isIngestKey(given)) return true
    const isPersonal = typeof given === 'string' ? given.startsWith('sk-') : presentedCredential(headers, keyHeaders)
    if (isPersonal) return false
    throw new AppError(ingestKey === undefined ? 'ingest_not_configured' : 'not_authenticated')
  }
  const judge = (request: FastifyRequest, { via }: Presented, actor: Actor | undefined): Actor | undefined => {
    if (!actor) return undefined
    if (via === 'cookie' && !isSameOriginWrite(request.method, request.headers, externalUrl))
      throw new AppError('origin_not_allowed')
    if (!isRouteAllowed(request.url, actor.credential.allowedRoutes)) throw new AppError('key_route_not_allowed')
    return actor
  }
  return {
    admit: (request, access, alsoKeyHeaders) => {
      if (access === 'public' || (access === 'ingestKey' && bringsIngestKey(request))) return undefined
      const presented = presentedCredential(
        request.headers,
        alsoKeyHeaders ? [...keyHeaders, ...alsoKeyHeaders] : keyHeaders,
      )
      if (!presented) return requireAccess(access, undefined)
      const found = authenticate(presented.token)
      return found instanceof Promise
        ? found.then((actor) => requireAccess(access, judge(request, presented, actor)))
        : requireAccess(access, judge(request, presented, found))
    },
  }
}

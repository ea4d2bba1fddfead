/**
 * The one gate every request passes before its body is read: who is it, may this key use this address,
 * did our own page send it, may they come in.
 */
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { type Access, requireAccess } from './access.ts'
import type { Actor, Authenticate } from './actor.ts'
import { presentedCredential } from './credential.ts'
import { isRouteAllowed } from './normalise-path.ts'
import { isSameOriginWrite } from './same-origin.ts'

export interface Gate {
  /** Undefined only for public routes. */
  admit(request: FastifyRequest, access: Access): Promise<Actor | undefined>
}

interface Options {
  authenticate: Authenticate
  keyHeaders: readonly string[]
  externalUrl: string | undefined
}

export const createGate = ({ authenticate, keyHeaders, externalUrl }: Options): Gate => {
  const identify = async (request: FastifyRequest): Promise<Actor | undefined> => {
    const presented = presentedCredential({ headers: request.headers, cookies: request.cookies, keyHeaders })
    if (!presented) return undefined
    const actor = await authenticate(presented.token)
    if (!actor) return undefined
    if (presented.via === 'cookie' && !isSameOriginWrite(request.method, request.headers, externalUrl))
      throw new AppError('origin_not_allowed')
    if (!isRouteAllowed(request.url, actor.credential.allowedRoutes)) throw new AppError('key_route_not_allowed')
    return actor
  }
  return {
    admit: async (request, access) =>
      access === 'public' ? undefined : requireAccess(access, await identify(request)),
  }
}

/**
 * The one gate every request passes before its body is read: who is calling, may this key use this path, did our own
 * page send it, does the route let them in.
 */
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { andThen, type MaybeAsync } from '../../maybe-async.ts'
import { type Access, type AccessKind, type Caller, isBuiltIn, type Recognised, requireAccess } from '../access.ts'
import type { Actor, Authenticate } from '../actor.ts'
import { presentedCredential } from './credential.ts'
import { isRouteAllowed } from './normalise-path.ts'
import { isSameOriginWrite } from './same-origin.ts'

export interface Gate {
  /**
   * Undefined for public routes, and where a module's access has a caller without an identity. A promise only when the
   * caller is not known already.
   */
  authorize(request: FastifyRequest, access: Access, alsoKeyHeaders?: readonly string[]): MaybeAsync<Caller | undefined>
  /** True for an access that is built in or registered: a route with another one would let nobody in. */
  knows(access: Access): boolean
}

interface Options {
  authenticate: Authenticate
  keyHeaders: readonly string[]
  externalUrl: string | undefined
  /** The accesses that modules add. */
  accessKinds?: readonly AccessKind[]
}

export const createGate = ({ authenticate, keyHeaders, externalUrl, accessKinds = [] }: Options): Gate => {
  const kinds = new Map(accessKinds.map((kind) => [kind.name, kind]))

  const requireSameOrigin = (request: FastifyRequest, via: string): void => {
    if (via === 'cookie' && !isSameOriginWrite(request.method, request.headers, externalUrl))
      throw new AppError('origin_not_allowed')
  }

  const authorizeActor = (request: FastifyRequest, access: Access, alsoKeyHeaders?: readonly string[]) => {
    const kind = kinds.get(access)
    const headers = alsoKeyHeaders ? [...keyHeaders, ...alsoKeyHeaders] : keyHeaders
    const presented = presentedCredential(request.headers, headers)
    if (!presented) throw kind?.refusal?.() ?? new AppError('not_authenticated')
    const judge = (actor: Actor | undefined): Actor => {
      if (actor) requireSameOrigin(request, presented.via)
      if (actor && !isRouteAllowed(request.url, actor.credential.allowedRoutes))
        throw new AppError('key_route_not_allowed')
      return requireAccess(access, actor, kind)
    }
    return andThen(authenticate(presented.token), judge)
  }

  return {
    knows: (access) => isBuiltIn(access) || kinds.has(access),
    authorize: (request, access, alsoKeyHeaders) => {
      if (access === 'public') return undefined
      const kind = kinds.get(access)
      if (!kind) return authorizeActor(request, access, alsoKeyHeaders)
      const enter = (recognised: Recognised<Access> | undefined) => {
        if (!recognised) return authorizeActor(request, access, alsoKeyHeaders)
        requireSameOrigin(request, recognised.via)
        return recognised.caller
      }
      return andThen(kind.recognise({ headers: request.headers, params: request.params }), enter)
    },
  }
}

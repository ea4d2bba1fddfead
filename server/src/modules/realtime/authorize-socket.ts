/** Authorizes a socket's handshake by the same rules as an HTTP request: credential, origin, key routes. */
import { socketPath } from '@chancery/contract/chats/events.ts'
import type { Socket } from 'socket.io'
import { AppError } from '#kernel/errors.ts'
import type { Actor, Authenticate } from '#kernel/http/actor.ts'
import { type Presented, presentedCredential } from '#kernel/http/gate/credential.ts'
import { isRouteAllowed } from '#kernel/http/gate/normalise-path.ts'
import { isSameOriginWrite } from '#kernel/http/gate/same-origin.ts'

type Handshake = Socket['handshake']

interface Deps {
  authenticate: Authenticate
  keyHeader: string
  externalUrl: string | undefined
}

export interface AuthorizedSocket {
  actor: Actor
  token: string
  sessionId: string | undefined
}

/** `auth.token` wins where it is sent. The web app cannot read its token and is recognized by its cookie. */
const presented = ({ auth, headers }: Handshake, keyHeader: string): Presented | undefined =>
  auth.token === undefined || auth.token === null
    ? presentedCredential(headers, [keyHeader])
    : { token: typeof auth.token === 'string' ? auth.token : '', via: 'bearer' }

const nameOf = ({ auth }: Handshake): string | undefined =>
  typeof auth.session_id === 'string' && auth.session_id.length <= 100 ? auth.session_id : undefined

export const authorizeSocket = async (deps: Deps, handshake: Handshake): Promise<AuthorizedSocket> => {
  const credential = presented(handshake, deps.keyHeader)
  // The browser sends a cookie on its own, so the page must be ours. A socket can write, hence the rule for writes.
  if (credential?.via === 'cookie' && !isSameOriginWrite('POST', handshake.headers, deps.externalUrl))
    throw new AppError('origin_not_allowed')
  const actor = credential && (await deps.authenticate(credential.token))
  if (!actor) throw new AppError('not_authenticated')
  if (!mayConnect(actor)) throw new AppError('key_route_not_allowed')
  return { actor, token: credential.token, sessionId: nameOf(handshake) }
}

export const mayConnect = (actor: Actor): boolean => isRouteAllowed(socketPath, actor.credential.allowedRoutes)

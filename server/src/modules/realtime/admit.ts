/** From a socket's handshake to an actor, by the rules of the gate that HTTP requests pass. */
import { socketPath } from '@chancery/contract/chat-events.ts'
import type { Socket } from 'socket.io'
import { AppError } from '#kernel/errors.ts'
import type { Actor, Authenticate } from '#kernel/http/actor.ts'
import { type Presented, presentedCredential } from '#kernel/http/credential.ts'
import { isRouteAllowed } from '#kernel/http/normalise-path.ts'
import { isSameOriginWrite } from '#kernel/http/same-origin.ts'

type Handshake = Socket['handshake']

interface Deps {
  authenticate: Authenticate
  keyHeader: string
  externalUrl: string | undefined
}

export interface Admitted {
  actor: Actor
  token: string
  sessionId: string | undefined
}

/** `auth.token` decides where it is present; the web app cannot read its token and comes with the cookie. */
const presented = ({ auth, headers }: Handshake, keyHeader: string): Presented | undefined =>
  auth.token === undefined || auth.token === null
    ? presentedCredential(headers, [keyHeader])
    : { token: typeof auth.token === 'string' ? auth.token : '', via: 'bearer' }

const nameOf = ({ auth }: Handshake): string | undefined =>
  typeof auth.session_id === 'string' && auth.session_id.length <= 100 ? auth.session_id : undefined

export const admitSocket = async (deps: Deps, handshake: Handshake): Promise<Admitted> => {
  const credential = presented(handshake, deps.keyHeader)
  // A cookie travels by itself, so the page must prove to be ours. A socket can write, hence the rule for writes.
  if (credential?.via === 'cookie' && !isSameOriginWrite('POST', handshake.headers, deps.externalUrl))
    throw new AppError('origin_not_allowed')
  const actor = credential && (await deps.authenticate(credential.token))
  if (!actor) throw new AppError('not_authenticated')
  if (!mayConnect(actor)) throw new AppError('key_route_not_allowed')
  return { actor, token: credential.token, sessionId: nameOf(handshake) }
}

export const mayConnect = (actor: Actor): boolean => isRouteAllowed(socketPath, actor.credential.allowedRoutes)

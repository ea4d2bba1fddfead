/**
 * The caller of an open route, where that makes a difference: the person of the session in the request, if there is
 * one.
 */
import type { Actor, Authenticate } from '#kernel/http/actor.ts'
import { presentedCredential } from '#kernel/http/gate/credential.ts'
import type { HttpCall } from '#kernel/http/route.ts'

export interface CallersSession {
  actor: Actor
  token: string
}

/** Undefined for an API key: it is not the person. */
export const findSessionOfCall = async (
  authenticate: Authenticate,
  http: HttpCall,
): Promise<CallersSession | undefined> => {
  const presented = presentedCredential({ authorization: http.header('authorization'), cookie: http.header('cookie') })
  const actor = presented && (await authenticate(presented.token))
  if (!presented || actor?.kind !== 'user' || actor.credential.kind !== 'session') return undefined
  return { actor, token: presented.token }
}

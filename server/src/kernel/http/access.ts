/** Access: a route's demand on its caller. `route()` does not compile without a known access. */
import type { IncomingHttpHeaders } from 'node:http'
import { can } from '@chancery/contract/abilities.ts'
import { AppError } from '../errors.ts'
import type { Actor } from './actor.ts'

export type OrgActor = Actor & { organizationId: string }

/**
 * Every access, and what its handler gets as `actor`. A module adds an access of its own by declaration merging, as it
 * adds its tables, and returns an `AccessKind` that recognises the credential. A caller that is not an account still has
 * an `id`, which limits and logs go by.
 */
export interface AccessKinds {
  /** Anybody. Only under the contract's open paths; a test walks the table. */
  public: undefined
  /** A person's account. */
  user: Actor
  /** A person or a platform admin. */
  signedIn: Actor
  /** An administrator of the caller's own organization. */
  orgAdmin: OrgActor
  /** A platform admin. */
  platformOwner: Actor
}

export type Access = keyof AccessKinds
export type ActorFor<A extends Access> = AccessKinds[A]
export type Caller = NonNullable<AccessKinds[Access]>

/** The parts of a request that a module may look at to recognise its credential: the body has not been read yet. */
export interface CredentialRequest {
  headers: IncomingHttpHeaders
  /** The named parts of the route's path. */
  params: unknown
}

export interface Recognised<A extends Access> {
  caller: ActorFor<A>
  /** Writes with a cookie need proof of the same origin; the gate asks for it. */
  via: 'header' | 'cookie'
}

/** A kind of access that a module adds, with its credential. */
export interface AccessKind<A extends Access = Access> {
  name: A
  /** Undefined when the request carries no such credential; throws when it carries a wrong one. */
  recognise(request: CredentialRequest): Recognised<A> | undefined | Promise<Recognised<A> | undefined>
  /** Which accounts may come in too, with their own credential. Absent: none. */
  allows?(actor: Actor): boolean
  /** The refusal of a request without any credential; `not_authenticated` unless told otherwise. */
  refusal?(): AppError
}

/** For what a person has to do in person. An agent with their key can't. */
export const requireSession = ({ credential }: Actor, detail: string): void => {
  if (credential.kind !== 'session') throw new AppError('forbidden', { detail })
}

const builtIn: ReadonlyMap<string, (actor: Actor) => boolean> = new Map([
  ['user', (actor: Actor) => actor.kind === 'user'],
  ['signedIn', () => true],
  ['orgAdmin', (actor: Actor) => can(actor, 'manage-organization')],
  ['platformOwner', (actor: Actor) => can(actor, 'manage-platform')],
])

export const isBuiltIn = (access: Access): boolean => access === 'public' || builtIn.has(access)

/**
 * Lets the actor in or refuses. A platform admin's token is no credential at all on a person's route (401), not a weak
 * one (403).
 */
export const requireAccess = (access: Access, actor: Actor | undefined, kind?: AccessKind): Actor => {
  if (!actor) throw new AppError('not_authenticated')
  const allows = builtIn.get(access) ?? kind?.allows
  if (allows?.(actor)) return actor
  throw new AppError(actor.kind === 'admin' ? 'not_authenticated' : 'forbidden')
}

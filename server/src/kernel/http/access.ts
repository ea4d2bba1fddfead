/** What a route asks of its caller. `route()` does not compile without one of these. */
import { AppError } from '../errors.ts'
import type { Actor } from './actor.ts'

export type Access =
  /** Anybody. Only under the contract's open paths; a test walks the table. */
  | 'public'
  /** A person's account. */
  | 'user'
  /** A person or a platform admin. */
  | 'signedIn'
  /** An administrator of the caller's own organization. */
  | 'orgAdmin'
  /** A platform admin. */
  | 'platformOwner'
  /** Whoever holds the key for publishing events (no actor), or a person, for their own scope. */
  | 'ingestKey'

export type OrgActor = Actor & { organizationId: string }
export type ActorFor<A extends Access> = A extends 'public'
  ? undefined
  : A extends 'orgAdmin'
    ? OrgActor
    : A extends 'ingestKey'
      ? Actor | undefined
      : Actor

const allows: Record<Exclude<Access, 'public'>, (actor: Actor) => boolean> = {
  user: (actor) => actor.kind === 'user',
  signedIn: () => true,
  orgAdmin: (actor) => actor.role === 'ROLE_ORG_ADMIN' && actor.organizationId !== null,
  platformOwner: (actor) => actor.role === 'ROLE_PLATFORM_OWNER',
  ingestKey: (actor) => actor.kind === 'user',
}

/** A platform admin's token opens no person's door: there it is no credential at all (401), not a weak one (403). */
export const requireAccess = (access: Exclude<Access, 'public'>, actor: Actor | undefined): Actor => {
  if (!actor) throw new AppError('not_authenticated')
  if (allows[access](actor)) return actor
  throw new AppError(actor.kind === 'admin' ? 'not_authenticated' : 'forbidden')
}

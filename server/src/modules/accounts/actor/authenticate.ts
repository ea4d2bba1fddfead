/** Any token to one Actor: a login token through its session, an `sk-` key through its row. */
import type { Clock } from '#kernel/clock.ts'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor, Authenticate, Credential, Principal, PrincipalKind } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import { andThen } from '#kernel/maybe-async.ts'
import { findLiveKeyByIdUnscoped, findLiveKeyUnscoped } from '../queries/api-keys.ts'
import type { ActivePrincipals } from '../queries/held-credentials.ts'
import { findLiveSessionUnscoped } from '../queries/sessions.ts'
import type { ActorCache } from './actor-cache.ts'
import type { CredentialUse } from './credential-use.ts'
import type { Tokens } from './tokens.ts'

/** How to load the owner of a credential. */
export type LoadPrincipal = (db: Db, id: string) => Promise<Principal | undefined>

/** Port: the owners of credentials. Each kind of principal registers its own. */
export interface PrincipalSource {
  load: LoadPrincipal
  /** The same rule for many at once: those that `load` answers as active, with their role and organization. */
  active: ActivePrincipals
}

interface Deps {
  db: Db
  clock: Clock
  tokens: Tokens
  cache: ActorCache
  use: CredentialUse
  principals: ReadonlyMap<PrincipalKind, PrincipalSource>
}

export interface EarlierActor {
  id: string
  credential: Pick<Credential, 'kind' | 'id'>
}

interface Found {
  principalKind: PrincipalKind
  principalId: string
  credential: Credential
}

export const createAuthenticate = (deps: Deps): Authenticate => {
  const { cache, use } = deps

  const lookUp = async (token: string): Promise<Actor | undefined> => {
    const found = token.startsWith('sk-') ? await findByKey(deps, token) : await findBySession(deps, token)
    const actor = found && (await load(deps, found))
    if (!actor) return undefined
    cache.remember(token, actor)
    use.note(actor.credential)
    return actor
  }

  return (token) => {
    const known = cache.find(token)
    if (!known) return lookUp(token)
    use.note(known.credential)
    return known
  }
}

/** A session that still lacks a second factor is no credential. */
export const withoutLacking =
  (authenticate: Authenticate): Authenticate =>
  (token) =>
    andThen(authenticate(token), (actor) => (actor?.credential.needsFactor ? undefined : actor))

const load = async (
  { db, clock, principals }: Pick<Deps, 'db' | 'clock' | 'principals'>,
  { principalKind, principalId, credential }: Found,
): Promise<Actor | undefined> => {
  const isOver = credential.expiresAt !== null && credential.expiresAt <= clock.now()
  if (isOver) return undefined
  const principal = await principals.get(principalKind)?.load(db, principalId)
  if (principal?.status !== 'ACTIVE') return undefined
  const { readOnlyFrom = null } = principal
  return { ...principal, credential, isReadOnly: readOnlyFrom !== null && readOnlyFrom <= clock.now() }
}

/** The actor of an earlier request as they are now; undefined when their credential or account has ended since. */
export const findCurrentActor = async (
  deps: Pick<Deps, 'db' | 'clock' | 'principals'>,
  { id, credential }: EarlierActor,
): Promise<Actor | undefined> => {
  const { db } = deps
  const found = await (credential.kind === 'key'
    ? findLiveKeyByIdUnscoped(db, credential.id)
    : findLiveSessionUnscoped(db, credential.id))
  if (found?.principalId !== id) return undefined
  const { principalKind, expiresAt } = found
  const allowedRoutes = 'allowedRoutes' in found ? found.allowedRoutes : null
  return load(deps, { principalKind, principalId: id, credential: { ...credential, expiresAt, allowedRoutes } })
}

const findByKey = async ({ db }: Deps, token: string): Promise<Found | undefined> => {
  const row = await findLiveKeyUnscoped(db, hashToken(token))
  if (!row) return undefined
  const { id, principalKind, principalId, expiresAt, allowedRoutes } = row
  return { principalKind, principalId, credential: { kind: 'key', id, expiresAt, allowedRoutes } }
}

const findBySession = async ({ db, tokens }: Deps, token: string): Promise<Found | undefined> => {
  const claimed = await tokens.read(token)
  const row = claimed && isUuid(claimed.sessionId) ? await findLiveSessionUnscoped(db, claimed.sessionId) : undefined
  if (!row || row.principalId !== claimed?.principalId) return undefined
  const { principalKind, principalId, expiresAt, provedAt, needsFactor } = row
  return {
    principalKind,
    principalId,
    credential: { kind: 'session', id: row.id, expiresAt, allowedRoutes: null, provedAt, needsFactor },
  }
}

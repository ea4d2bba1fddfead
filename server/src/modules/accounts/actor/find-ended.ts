/** Finds, in one statement, which of many credentials have ended or whose owners have changed since they were shown. */
import type { Clock } from '#kernel/clock.ts'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor, PrincipalKind } from '#kernel/http/actor.ts'
import { findEndedStatement } from '../queries/held-credentials.ts'
import type { PrincipalSource } from './authenticate.ts'

/** A token and whom it belonged to when it was shown. */
export interface HeldCredential {
  token: string
  actor: Pick<Actor, 'kind' | 'id' | 'role' | 'organizationId'> & {
    credential: Pick<Actor['credential'], 'kind' | 'id'>
  }
}

export type FindEnded = (held: readonly HeldCredential[]) => Promise<HeldCredential[]>

/** So that one statement takes a few milliseconds. */
const mostAtOnce = 1000

interface Deps {
  db: Db
  clock: Clock
  principals: ReadonlyMap<PrincipalKind, PrincipalSource>
}

export const createFindEnded = ({ db, clock, principals }: Deps): FindEnded => {
  let statement: ReturnType<typeof findEndedStatement> | undefined

  const findAmong = async (held: readonly HeldCredential[]): Promise<HeldCredential[]> => {
    // Modules above register who may act before anything is asked.
    statement ??= findEndedStatement(new Map([...principals].map(([kind, { active }]) => [kind, active])))
    const isKey = ({ actor }: HeldCredential): boolean => actor.credential.kind === 'key'
    const { rows } = await statement(
      held.map((one) => (isKey(one) ? null : one.actor.credential.id)),
      // By its hash, not its id: a key that was renewed has another.
      held.map((one) => (isKey(one) ? hashToken(one.token) : null)),
      held.map(({ actor }) => actor.kind),
      held.map(({ actor }) => actor.id),
      held.map(({ actor }) => actor.role),
      held.map(({ actor }) => actor.organizationId),
      clock.now(),
    ).execute(db)
    return rows.flatMap(({ position }) => held[position - 1] ?? [])
  }

  return async (held) => {
    const ended: HeldCredential[] = []
    for (let from = 0; from < held.length; from += mostAtOnce)
      ended.push(...(await findAmong(held.slice(from, from + mostAtOnce))))
    return ended
  }
}

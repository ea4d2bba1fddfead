/**
 * Reservations that other nodes see, in the database. A reservation stays until what its call really used is written, so
 * that at every moment other nodes see one or the other.
 */
import type { Db } from '#kernel/db/database.ts'
import type { Ids } from '#kernel/ids.ts'
import {
  deleteReservationsUnscoped,
  insertReservationUnscoped,
  lockAccountsUnscoped,
  renewReservationsUnscoped,
  sumOthersUnscoped,
} from './queries/reservations.ts'
import type { Held } from './reservations.ts'
import { type Account, nameOf } from './token-counters.ts'

export interface SharedReservations {
  /**
   * `decide` is told what other nodes hold, reads the counters after that, and holds the tokens on this node or throws.
   * In this order: usage that another node writes in between counts twice instead of not at all. It reads over the
   * given transaction, since the pool may have no other connection left.
   */
  hold(
    accounts: readonly Account[],
    decide: (tx: Db, othersHold: (account: Account) => number) => Promise<Held>,
  ): Promise<Held>
  /** Deletes what was released before, once the usage that was recorded before is written. */
  settle(write: () => Promise<void>): Promise<void>
  renew(): Promise<void>
}

export const createSharedReservations = ({ db, ids }: { db: Db; ids: Ids }): SharedReservations => {
  const nodeId = ids.next()
  let released: string[] = []

  const hold: SharedReservations['hold'] = async (accounts, decide) => {
    const names = [...new Set(accounts.map(nameOf))]
    let held: Held | undefined
    try {
      return await db.transaction().execute(async (tx) => {
        await lockAccountsUnscoped(tx, names)
        const others = await sumOthersUnscoped(tx, { nodeId, accounts: names })
        const here = await decide(tx, (account) => others.get(nameOf(account)) ?? 0)
        held = here
        const id = ids.next()
        await insertReservationUnscoped(tx, { id, nodeId, accounts: names, tokens: here.tokens })
        return {
          tokens: here.tokens,
          release: () => {
            here.release()
            released.push(id)
          },
        }
      })
    } catch (problem) {
      held?.release()
      throw problem
    }
  }
  return {
    hold,
    settle: async (write) => {
      const done = released
      released = []
      try {
        await write()
        if (done.length > 0) await deleteReservationsUnscoped(db, done)
      } catch (problem) {
        released.push(...done)
        throw problem
      }
    },
    renew: () => renewReservationsUnscoped(db, nodeId),
  }
}

/**
 * Reads that look through much: full-text search, text in payloads. Few run at once and owners take turns, so that
 * connections are left for everybody else; each has a time limit of its own, and says so when it ends there.
 */
import { sql } from 'kysely'
import { AppError } from '../errors.ts'
import { createTurns } from '../turns/turns.ts'
import type { Db } from './database.ts'
import { isDatabaseTimeout } from './failures.ts'

declare const inTurn: unique symbol
/** A transaction in which a search may run. Queries that look through much take this and no other. */
export type SearchDb = Db & { readonly [inTurn]: true }

interface Searcher {
  id: string
  organizationId: string | null
}

export type Search = <Result>(by: Searcher, read: (db: SearchDb) => Promise<Result>) => Promise<Result>

interface Options {
  db: Db
  /** Searches at once on this node, and of one organization. */
  atOnce?: number
  perOwner?: number
  limitMs?: number
}

/** Of one organization; more are refused. */
const maxWaitingPerOwner = 30

export const createSearch = ({ db, atOnce = 2, perOwner = 1, limitMs = 10_000 }: Options): Search => {
  const takeTurn = createTurns({ atOnce, perOwner, maxWaitingPerOwner })
  return async ({ id, organizationId }, read) => {
    const endTurn = await takeTurn(organizationId ?? id)
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`select set_config('statement_timeout', ${String(limitMs)}, true)`.execute(tx)
        return read(tx as Db as SearchDb)
      })
    } catch (problem) {
      throw isDatabaseTimeout(problem) ? new AppError('search_too_slow', { cause: problem }) : problem
    } finally {
      endTurn()
    }
  }
}

/**
 * Search in the database, by the extension pgvector. Its vectors are a copy of `knowledge_vectors` in a table of their
 * own: a dump of the database can then be restored where the extension is missing, and only the copy is lost.
 *
 * A scope is searched here only when the copy is complete for it, which is checked once for each version of the scope.
 * Any failure leaves the question to the copy in memory.
 */
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import { isDatabaseUnavailable } from '#kernel/db/failures.ts'
import type { Log } from '#kernel/log.ts'
import {
  copyVectorsUnscoped,
  isCopiedUnscoped,
  type KeyedVector,
  listUncopiedUnscoped,
  preparePgvectorUnscoped,
  searchPgvectorUnscoped,
} from '../queries/pgvector.ts'
import { readVersionUnscoped } from '../queries/vectors.ts'
import type { Scope } from '../scope.ts'
import { keyOf } from './memory-index.ts'
import type { VectorHit, VectorSearch } from './vector-slices.ts'

export interface PgvectorDeps {
  clock: Clock
  log: Log
  /** False: the operator wants the vectors in memory. */
  isAllowed: boolean
}

/** The extension may come or go with a restart of the database. */
const recheckMs = 10 * 60_000
const copyBatch = 100
const maxKnownScopes = 10_000

export const createPgvectorIndex = ({ clock, log, isAllowed }: PgvectorDeps) => {
  let state: { schema: Promise<string | undefined>; untilMs: number } | undefined
  let lastProblem: string | undefined
  /** The version of each scope for which the copy was found complete. */
  const complete = new Map<string, string>()

  const set = (schema: Promise<string | undefined>) => {
    complete.clear()
    state = { schema, untilMs: clock.now().getTime() + recheckMs }
    return schema
  }
  const giveUp = (problem: unknown): undefined => {
    if (isDatabaseUnavailable(problem)) throw problem
    const { message } = problem as Error
    if (message !== lastProblem)
      log.warn({ err: problem }, 'pgvector cannot be used. Vectors are searched in memory meanwhile.')
    lastProblem = message
    void set(Promise.resolve(undefined))
    return undefined
  }
  const prepare = async (db: Db): Promise<string | undefined> => {
    try {
      return await preparePgvectorUnscoped(db)
    } catch (problem) {
      state = undefined
      return giveUp(problem)
    }
  }
  /** The schema of the extension; undefined where it can't be used. */
  const schemaOf = async (db: Db): Promise<string | undefined> => {
    if (!isAllowed) return undefined
    return state && clock.now().getTime() < state.untilMs ? state.schema : set(prepare(db))
  }
  const isComplete = async (db: Db, scope: Scope, search: VectorSearch): Promise<boolean> => {
    const key = keyOf(scope, search)
    const version = await readVersionUnscoped(db, scope)
    if (complete.get(key) === version) return true
    if (!(await isCopiedUnscoped(db, scope, search.engine))) return false
    if (complete.size >= maxKnownScopes) complete.clear()
    complete.set(key, version)
    return true
  }
  return {
    isReady: async (db: Db): Promise<boolean> => (await schemaOf(db)) !== undefined,
    /** Undefined: somebody else has to answer. */
    search: async (db: Db, scope: Scope, search: VectorSearch): Promise<VectorHit[] | undefined> => {
      const schema = await schemaOf(db)
      if (schema === undefined) return undefined
      try {
        if (!(await isComplete(db, scope, search))) return undefined
        return await searchPgvectorUnscoped(db, scope, { schema, ...search })
      } catch (problem) {
        return giveUp(problem)
      }
    },
    /** Vectors that a failure leaves out are copied by the job that runs every five minutes. */
    copy: async (db: Db, { fileId, signal }: { fileId?: string; signal: AbortSignal }): Promise<void> => {
      const schema = await schemaOf(db)
      if (schema === undefined) return
      try {
        for (let after: KeyedVector | undefined; !signal.aborted; ) {
          const rows = await listUncopiedUnscoped(db, { fileId, after, limit: copyBatch })
          for (const group of groupsOf(rows)) await copyVectorsUnscoped(db, schema, group)
          if (rows.length < copyBatch) return
          after = rows.at(-1)
        }
      } catch (problem) {
        giveUp(problem)
      }
    },
  }
}

/** Numbers become text on the server's thread, so few at once: 50,000 are about half a megabyte. */
const bytesAtOnce = 50_000 * 4

const groupsOf = (rows: readonly KeyedVector[]): KeyedVector[][] => {
  const groups: KeyedVector[][] = []
  let bytes = Infinity
  for (const row of rows) {
    bytes += row.vector.length
    if (bytes > bytesAtOnce) {
      groups.push([])
      bytes = row.vector.length
    }
    groups.at(-1)?.push(row)
  }
  return groups
}

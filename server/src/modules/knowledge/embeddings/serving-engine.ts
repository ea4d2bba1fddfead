/**
 * Whose vectors answer questions. After a change of engine everything is embedded again in the background; until that is
 * done, the vectors of the engine before serve, and afterwards those of the current one.
 */
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import { countVectorsUnscoped, hasOtherVectorsUnscoped, listFilesToEmbedUnscoped } from '../queries/vectors.ts'

export type ServingEngine = (db: Db, currentId: string) => Promise<string>

const recheckMs = 30_000

export const createServingEngine = (clock: Clock): ServingEngine => {
  /** Engines that have embedded everything. What is new since then they embed as it comes. */
  const complete = new Set<string>()
  let known = { currentId: '', servingId: '', untilMs: 0 }
  return async (db, currentId) => {
    const nowMs = clock.now().getTime()
    if (complete.has(currentId)) return currentId
    if (known.currentId === currentId && nowMs < known.untilMs) return known.servingId
    const servingId = await choose(db, currentId)
    if (servingId === undefined) complete.add(currentId)
    known = { currentId, servingId: servingId ?? currentId, untilMs: nowMs + recheckMs }
    return known.servingId
  }
}

/** Undefined where the current engine lacks nothing. */
const choose = async (db: Db, currentId: string): Promise<string | undefined> => {
  if (!(await hasOtherVectorsUnscoped(db, currentId))) return undefined
  if ((await listFilesToEmbedUnscoped(db, currentId, 1)).length === 0) return undefined
  const counts = await countVectorsUnscoped(db)
  const [most] = counts.toSorted((one, other) => other.count - one.count)
  return most?.engine ?? currentId
}

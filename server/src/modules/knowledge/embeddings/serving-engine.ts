/**
 * Whose vectors answer questions. After a change of engine everything is embedded again in the background; until that is
 * done, the vectors of the engine before serve, and afterwards those of the current one.
 */
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Settings } from '#modules/settings/index.ts'
import {
  canEmbedMoreUnscoped,
  countVectorsUnscoped,
  hasOtherVectorsUnscoped,
  isMostUnpaidUnscoped,
} from '../queries/vectors.ts'

export type ServingEngine = (db: Db, currentId: string) => Promise<string>

const recheckMs = 30_000

interface Deps {
  clock: Clock
  settings: Pick<Settings, 'onChange'>
}

interface Choice {
  currentId: string
  servingId: string
  untilMs: number
}

/**
 * An engine that has embedded everything embeds what is new as it comes, so it stays complete until the settings change:
 * files that arrive while another engine is in force have only the other one's vectors.
 */
export const createServingEngine = ({ clock, settings }: Deps): ServingEngine => {
  let choice: Choice | undefined
  let changes = 0
  settings.onChange((keys) => {
    if (!keys.some((key) => key.startsWith('rag.embedding.'))) return
    changes += 1
    choice = undefined
  })
  return async (db, currentId) => {
    const nowMs = clock.now().getTime()
    if (choice?.currentId === currentId && nowMs < choice.untilMs) return choice.servingId
    const changesBefore = changes
    const other = await choose(db, currentId)
    const made = {
      currentId,
      servingId: other ?? currentId,
      untilMs: other === undefined ? Infinity : nowMs + recheckMs,
    }
    if (changes === changesBefore) choice = made
    return made.servingId
  }
}

/**
 * Undefined where the current engine serves. It doesn't wait for files whose owner's budget is spent, unless they are
 * most of what there is: one owner's budget must not keep everybody on the engine before.
 */
const choose = async (db: Db, currentId: string): Promise<string | undefined> => {
  if (!(await hasOtherVectorsUnscoped(db, currentId))) return undefined
  const isWaiting = (await canEmbedMoreUnscoped(db, currentId)) || (await isMostUnpaidUnscoped(db, currentId))
  if (!isWaiting) return undefined
  const counts = await countVectorsUnscoped(db)
  const [most] = counts.toSorted((one, other) => other.count - one.count)
  return most?.engine ?? currentId
}

/** All SQL for `plugin_user_valves`: each person's own settings of a plugin. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'

export const findUserValves = async (db: Db, actor: Actor, pluginId: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('pluginUserValves')
      .select('sealed')
      .where('pluginId', '=', pluginId)
      .where('userId', '=', actor.id)
      .executeTakeFirst()
  )?.sealed

interface Saved {
  pluginId: string
  sealed: string
  at: Date
}

export const saveUserValves = (db: Db, actor: Actor, { pluginId, sealed, at }: Saved) =>
  db
    .insertInto('pluginUserValves')
    .values({ pluginId, userId: actor.id, sealed, updatedAt: at })
    .onConflict((conflict) => conflict.columns(['pluginId', 'userId']).doUpdateSet({ sealed, updatedAt: at }))
    .execute()

/** All SQL for `plugin_user_valves`: each person's own settings of a plugin. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { OfPlugin } from './plugins.ts'

export const findUserValves = async (db: Db, actor: Actor, { id, createdAt }: OfPlugin): Promise<string | undefined> =>
  (
    await db
      .selectFrom('pluginUserValves')
      .select('sealed')
      .where('pluginId', '=', id)
      .where('userId', '=', actor.id)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('plugins').select('id').where('id', '=', id).where('createdAt', '=', createdAt)),
      )
      .executeTakeFirst()
  )?.sealed

interface Saved {
  plugin: OfPlugin
  sealed: string
  at: Date
}

/** False where the plugin is gone. */
export const saveUserValves = async (db: Db, actor: Actor, { plugin, sealed, at }: Saved): Promise<boolean> => {
  const saved = await db
    .insertInto('pluginUserValves')
    .columns(['pluginId', 'userId', 'sealed', 'updatedAt'])
    .expression((from) =>
      from
        .selectFrom('plugins')
        .select(['id', sql.val(actor.id).as('userId'), sql.val(sealed).as('sealed'), sql.val(at).as('updatedAt')])
        .where('id', '=', plugin.id)
        .where('createdAt', '=', plugin.createdAt),
    )
    .onConflict((conflict) => conflict.columns(['pluginId', 'userId']).doUpdateSet({ sealed, updatedAt: at }))
    .returning('pluginId')
    .executeTakeFirst()
  return saved !== undefined
}

/** All of one person's. */
export const deleteUserValvesOfUnscoped = async (tx: Db, userId: string): Promise<void> => {
  await tx.deleteFrom('pluginUserValves').where('userId', '=', userId).execute()
}

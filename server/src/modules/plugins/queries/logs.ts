/** All SQL for `plugin_logs`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { LogLine } from '../runtime/index.ts'

const keptLines = 500

export interface PluginLogLine extends LogLine {
  pluginId: string
  /** An id can be another plugin's by now, which must not show what this one logged. */
  createdAt: Date
  at: Date
}

/** Lines of plugins that are gone meanwhile are dropped. */
export const insertLogLinesUnscoped = async (db: Db, lines: readonly PluginLogLine[]): Promise<void> => {
  const json = JSON.stringify(
    lines.map(({ pluginId, createdAt, at, level, text }) => ({
      plugin_id: pluginId,
      created_at: createdAt,
      at,
      level,
      text,
    })),
  )
  await sql`
    insert into plugin_logs (plugin_id, at, level, text)
    select line ->> 'plugin_id', (line ->> 'at')::timestamptz, line ->> 'level', line ->> 'text'
    from jsonb_array_elements(${json}::jsonb) with ordinality as listed (line, number)
    where exists (select from plugins where plugins.id = line ->> 'plugin_id'
      and plugins.created_at = (line ->> 'created_at')::timestamptz)
    order by number`.execute(db)
  const ids = [...new Set(lines.map(({ pluginId }) => pluginId))]
  for (const id of ids)
    await sql`
      delete from plugin_logs where plugin_id = ${id} and id <= (
        select id from plugin_logs where plugin_id = ${id} order by id desc offset ${sql.lit(keptLines)} limit 1
      )`.execute(db)
}

export const listLogLinesUnscoped = (db: Db, pluginId: string) =>
  db
    .selectFrom('pluginLogs')
    .selectAll()
    .where('pluginId', '=', pluginId)
    .orderBy('id', 'desc')
    .limit(keptLines)
    .execute()

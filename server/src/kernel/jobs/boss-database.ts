/**
 * pg-boss on our own connections. Its statements run on the pool that everyone shares, a few at a time, so that many
 * polling workers neither fill the pool nor need one of their own; only listening holds a connection permanently.
 */
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Db as BossDatabase } from 'pg-boss'
import type { Db } from '../db/database.ts'
import { keepListening } from '../db/keep-listening.ts'
import type { Log } from '../log.ts'
import { createConcurrencyLimit } from '../turns/concurrency-limit.ts'

const statementsAtOnce = 3

/** Statements inside the caller's transaction, without the plugins of our own queries. */
export const bossOnTransaction = (db: Db): BossDatabase => ({
  executeSql: async (text, values) => {
    const { rows } = await db.withoutPlugins().executeQuery(CompiledQuery.raw(text, values))
    return { rows }
  },
})

interface Listeners {
  /** A job was put into this queue. */
  onJob(queue: string): void
  /** Jobs may have been announced while nobody listened. */
  onListening(): void
}

interface Connections {
  pool: pg.Pool
  /** For listening, which needs a session of its own. */
  session: pg.ClientConfig
}

export const bossOnPool = ({ pool, session }: Connections, log: Log, listeners: Listeners): BossDatabase => {
  const inTurn = createConcurrencyLimit(statementsAtOnce)
  return {
    executeSql: (text, values) => inTurn(() => pool.query(text, values)),
    listen: async (channel, onNotification, onListening) =>
      keepListening({
        connection: session,
        log,
        channels: [channel],
        onNotification: (queue) => {
          onNotification(queue)
          listeners.onJob(queue)
        },
        onListening: () => {
          onListening?.()
          listeners.onListening()
        },
      }),
  }
}

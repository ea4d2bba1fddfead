/** A database with the tables of knowledge, and documents in it, for the suites about retrieval. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { systemClock } from '../../server/src/kernel/clock.ts'
import { createDb, createPool, type Db } from '../../server/src/kernel/db/database.ts'
import { migrate } from '../../server/src/kernel/db/migrate.ts'
import { readMigrations } from '../../server/src/kernel/db/read-migrations.ts'
import { createLog } from '../../server/src/kernel/log.ts'
import { createMemoryIndex } from '../../server/src/modules/knowledge/vectors/memory-index.ts'
import { createPacks } from '../../server/src/modules/knowledge/vectors/packs.ts'
import { startPostgres } from './postgres.ts'

export interface KnowledgeDb {
  db: Db
  stop(): Promise<void>
}

export const startKnowledgeDb = async (): Promise<KnowledgeDb> => {
  const postgres = await startPostgres()
  const pool = createPool({ connectionString: postgres.url, max: 4, connectMs: 60_000 })
  // A connection may still be closing when the database stops.
  pool.on('error', () => undefined)
  await migrate(pool, readMigrations(new URL('../../server/migrations', import.meta.url).pathname))
  const db = createDb(pool)
  return {
    db,
    stop: async () => {
      await pool.end()
      await postgres.stop()
    },
  }
}

export const insertCollection = async (db: Db): Promise<string> => {
  const id = randomUUID()
  await sql`insert into knowledge_collections (id, name, description, owner_kind, owner_id, is_restricted, created_at, updated_at)
    values (${id}, 'Bench', '', 'user', ${randomUUID()}, true, now(), now())`.execute(db)
  return id
}

export const insertFile = async (
  db: Db,
  { name, collectionId }: { name: string; collectionId: string },
): Promise<string> => {
  const id = randomUUID()
  await sql`insert into files (id, owner_kind, owner_id, name, content_type, size, sha256, blob_key, state, created_at, updated_at)
    values (${id}, 'user', ${randomUUID()}, ${name}, 'text/plain', 1, '', ${id}, 'completed', now(), now())`.execute(db)
  await sql`insert into knowledge_files (collection_id, file_id, added_at) values (${collectionId}, ${id}, now())`.execute(
    db,
  )
  return id
}

/** Like a server that has just started; with a folder, one that keeps vectors there. */
export const openMemoryIndex = (folder?: string) => {
  const log = createLog('warn')
  const packs = createPacks(
    { log, clock: systemClock },
    { root: folder ?? '', maxBytes: folder === undefined ? 0 : 4 * 1024 ** 3 },
  )
  return createMemoryIndex({ log, packs, maxBytes: 1024 ** 3 })
}

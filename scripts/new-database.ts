/** An empty PostgreSQL for what is generated from a database, in a folder that is deleted afterwards. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool, type Pool } from '../server/src/kernel/db/database.ts'
import { startEmbeddedPostgres } from '../server/src/kernel/db/embedded-postgres/index.ts'
import { createLog } from '../server/src/kernel/log.ts'

interface NewDatabase {
  pool: Pool
  url: string
  dataDir: string
}

export const inNewDatabase = async <Result>(use: (database: NewDatabase) => Promise<Result>): Promise<Result> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-docs-'))
  try {
    // As root, PostgreSQL runs as another user, who must be able to enter the folder.
    await chmod(dataDir, 0o711)
    const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: createLog('error') })
    const pool = createPool({ connectionString: postgres.url, max: 1 })
    // Its end doesn't wait for its connections, and PostgreSQL may end first.
    pool.on('error', () => undefined)
    try {
      return await use({ pool, url: postgres.url, dataDir })
    } finally {
      await pool.end()
      await postgres.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

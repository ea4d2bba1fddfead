/** One PostgreSQL and several nodes. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../bench/lib/postgres.ts'
import { createDb, createPool, type Db } from '../server/src/kernel/db/database.ts'
import { migrate } from '../server/src/kernel/db/migrate.ts'
import { readMigrations } from '../server/src/kernel/db/read-migrations.ts'
import type { ChaosNode } from './node.ts'
import { startNodes } from './start-nodes.ts'

export interface Cluster {
  db: Db
  databaseUrl: string
  nodes: readonly ChaosNode[]
  /** The folder with what the nodes printed. It stays. */
  logs: string
  stop(): Promise<void>
}

interface Options {
  /** Part of the folder's name. */
  label: string
  /** The error of each node's clock. */
  skewsMs: readonly number[]
  env: Record<string, string>
}

export const startCluster = async ({ label, skewsMs, env }: Options): Promise<Cluster> => {
  const logs = await mkdtemp(join(tmpdir(), `chancery-chaos-logs-${label}-`))
  const postgres = await startPostgres()
  const pool = createPool({ connectionString: postgres.url, max: 4 })
  pool.on('error', () => undefined)
  await migrate(pool, readMigrations(new URL('../server/migrations', import.meta.url).pathname))
  const nodes = await startNodes({ databaseUrl: postgres.url, logs, skewsMs, env })
  return {
    db: createDb(pool),
    databaseUrl: postgres.url,
    nodes,
    logs,
    stop: async () => {
      for (const node of nodes) await node.stop()
      await pool.end()
      await postgres.stop()
    },
  }
}

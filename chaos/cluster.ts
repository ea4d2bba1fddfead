/** One PostgreSQL, a site that the workflows call, and several nodes. */
import { createWriteStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../bench/lib/postgres.ts'
import { createDb, createPool, type Db } from '../server/src/kernel/db/database.ts'
import { migrate } from '../server/src/kernel/db/migrate.ts'
import { readMigrations } from '../server/src/kernel/db/read-migrations.ts'
import { startSite, type WebSite } from '../server/test/peers/site.ts'
import { ingestKey } from './load.ts'
import { type ChaosNode, startNode } from './node.ts'

export interface Cluster {
  db: Db
  site: WebSite
  nodes: readonly ChaosNode[]
  /** The folder with what the nodes printed. It stays. */
  logs: string
  stop(): Promise<void>
}

interface Options {
  seed: number
  skewsMs: readonly number[]
  random: () => number
}

const maxAnswerMs = 200

export const startCluster = async ({ seed, skewsMs, random }: Options): Promise<Cluster> => {
  const logs = await mkdtemp(join(tmpdir(), `chancery-chaos-logs-${seed}-`))
  const postgres = await startPostgres()
  const pool = createPool({ connectionString: postgres.url, max: 4 })
  pool.on('error', () => undefined)
  await migrate(pool, readMigrations(new URL('../server/migrations', import.meta.url).pathname))
  const site = await startSite(
    (_request, response) => void setTimeout(() => response.end('ok'), random() * maxAnswerMs),
  )
  const env = {
    SVC_EVENT_API_KEY: ingestKey,
    OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}`,
    JWT_SECRET: 'a-secret-for-chaos-only-that-is-long-enough-to-be-accepted-by-the-rules',
    SVC_SECRET_KEY: 'another-secret-for-chaos-only-of-32-or-more',
    RAG_EMBEDDING_ENGINE: 'none',
  }
  const nodes = await Promise.all(
    skewsMs.map((skewMs, index) => {
      const log = createWriteStream(join(logs, `node-${index}.log`))
      return startNode({ databaseUrl: postgres.url, skewMs, env, onOutput: (text) => void log.write(text) })
    }),
  )
  return {
    db: createDb(pool),
    site,
    nodes,
    logs,
    stop: async () => {
      for (const node of nodes) await node.stop()
      await pool.end()
      await postgres.stop()
      await site.close()
    },
  }
}

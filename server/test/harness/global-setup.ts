/** Starts what all test files share, once: a PostgreSQL with a migrated template database. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startApp } from '#app'
import { readConfig } from '#kernel/config/config.ts'
import { startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import { createLog } from '#kernel/log.ts'
import { restoreCluster, saveCluster } from './cluster-cache.ts'
import { testSecrets } from './secrets.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the template database; clones are made from it. */
    postgresUrl: string
  }
}

/** Nothing here outlives the run, so durability would only cost time. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' }

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-test-'))
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(dataDir, 0o711)
  const log = createLog('error')
  const isRestored = await restoreCluster(dataDir)
  let postgres = await startEmbeddedPostgres({ dataDir, settings, log })
  if (!isRestored) {
    const config = readConfig({ PORT: '0', HOST: '127.0.0.1', SVC_DATA_DIR: dataDir, LOG_LEVEL: 'error' })
    const app = await startApp({ config, secrets: testSecrets, databaseUrl: postgres.url, log })
    await app.stop()
    await postgres.stop()
    await saveCluster(dataDir)
    postgres = await startEmbeddedPostgres({ dataDir, settings, log })
  }
  provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

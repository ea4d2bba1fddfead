/** Starts what all test files share, once: a PostgreSQL with a migrated template database. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readConfig } from '#kernel/config/config.ts'
import { clusterDirOf } from '#kernel/db/embedded-postgres/cluster.ts'
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

/** Nothing here outlives the run, so durability, clean-up and statistics would only cost time. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  track_counts: 'off',
  update_process_title: 'off',
  file_copy_method: 'clone',
  // Everything is in memory: another process would not read it sooner.
  io_method: 'sync',
  max_connections: '400',
}

/** Deriving the key from a password takes both sides longer than the rest of opening a connection. */
const trustEverybody = (dataDir: string) =>
  writeFile(join(clusterDirOf(dataDir), 'pg_hba.conf'), 'local all all trust\n')

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-test-'))
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(dataDir, 0o711)
  const log = createLog('error')
  if (!(await restoreCluster(dataDir))) {
    const first = await startEmbeddedPostgres({ dataDir, settings, log })
    const config = readConfig({ PORT: '0', HOST: '127.0.0.1', SVC_DATA_DIR: dataDir, LOG_LEVEL: 'error' })
    // Not needed otherwise, and loading the whole server takes seconds.
    const { startApp } = await import('#app')
    const app = await startApp({ config, secrets: testSecrets, databaseUrl: first.url, log })
    flushCompileCache()
    await app.stop()
    await first.stop()
    await saveCluster(dataDir)
  }
  await trustEverybody(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, settings, log })
  provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

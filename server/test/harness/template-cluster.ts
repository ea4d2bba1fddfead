/**
 * The cluster that test databases are cloned from, with a migrated template database. `npm test` creates it beside the
 * quick checks, as the whole server has to be loaded for it; another run of the tests creates it if it is missing.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#config'
import { startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import { createLog } from '#kernel/log.ts'
import { restoreCluster, saveCluster } from './cluster-cache.ts'
import { useMemoryFolder } from './memory-folder.ts'
import { testSecrets } from './secrets.ts'

/** Nothing here outlives the run, so durability, clean-up and statistics would only cost time. */
export const clusterSettings = {
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

const createCluster = async (dataDir: string): Promise<void> => {
  const log = createLog('error')
  const postgres = await startEmbeddedPostgres({ dataDir, settings: clusterSettings, log })
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', SVC_DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  // Not needed otherwise, and loading the whole server takes seconds.
  const { startApp } = await import('#app')
  const app = await startApp({ config, secrets: testSecrets, databaseUrl: postgres.url, log })
  await app.stop()
  await postgres.stop()
  await saveCluster(dataDir)
}

/** A new data folder with the cluster in it. */
export const prepareCluster = async (): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-test-'))
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(dataDir, 0o711)
  if (!(await restoreCluster(dataDir))) await createCluster(dataDir)
  return dataDir
}

if (import.meta.main) {
  // Another check failed: its end must take PostgreSQL and the files along.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  useMemoryFolder()
  await rm(await prepareCluster(), { recursive: true, force: true })
}

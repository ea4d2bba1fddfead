/** Starts what all test files share, once: a PostgreSQL with a migrated template database. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { clusterDirOf } from '#kernel/db/embedded-postgres/cluster.ts'
import { startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import { createLog } from '#kernel/log.ts'
import { clusterSettings, prepareCluster } from './template-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the template database; clones are made from it. */
    postgresUrl: string
  }
}

/** Deriving the key from a password takes both sides longer than the rest of opening a connection. */
const trustEverybody = (dataDir: string) =>
  writeFile(join(clusterDirOf(dataDir), 'pg_hba.conf'), 'local all all trust\n')

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const dataDir = await prepareCluster()
  await trustEverybody(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, settings: clusterSettings, log: createLog('error') })
  provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

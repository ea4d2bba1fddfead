/** Starts what all test files share, once: a PostgreSQL with a migrated template database. */
import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import { createLog } from '#kernel/log.ts'
import { clusterSettings, prepareCluster } from './template-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the template database; clones are made from it. */
    postgresUrl: string
  }
}

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const dataDir = await prepareCluster()
  const postgres = await startEmbeddedPostgres({ dataDir, settings: clusterSettings, log: createLog('error') })
  provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

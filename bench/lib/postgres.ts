/** PostgreSQL as we ship it, reachable by both the server and the benchmark. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../server/src/kernel/db/embedded-postgres/index.ts'
import { createLog } from '../../server/src/kernel/log.ts'

export interface BenchPostgres {
  url: string
  stop(): Promise<void>
}

export const startPostgres = async (): Promise<BenchPostgres> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'chancery-bench-db-'))
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o711)
  const settings = { max_connections: '200' }
  const { url, stop } = await startEmbeddedPostgres({ dataDir, settings, log: createLog('error') })
  return {
    url,
    stop: async () => {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

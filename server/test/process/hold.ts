/** A process that takes a data folder's lock and, if asked, starts its database, says so, and waits to be killed. */
import { startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import { createLog } from '#kernel/log.ts'
import { takeInstanceLock } from '#kernel/process/instance-lock.ts'

const [dataDir = '', what = 'lock'] = process.argv.slice(2)
try {
  await takeInstanceLock(dataDir)
  const server = what === 'postgres' ? await startEmbeddedPostgres({ dataDir, log: createLog('silent') }) : undefined
  process.once('SIGTERM', async () => {
    await server?.stop()
    process.exit(0)
  })
  console.log('holding')
  setInterval(() => undefined, 60_000)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

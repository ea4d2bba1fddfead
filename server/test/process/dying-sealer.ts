/** A node that seals one document and is killed on the way: with kill -9, at the failpoint it is told. */
import { startApp } from '#app'
import { readConfig } from '#kernel/config/config.ts'
import { createLog } from '#kernel/log.ts'
import { testSecrets } from '#test/harness/secrets.ts'

const [, , databaseUrl = '', settings = '{}', documentId = '', deadly = ''] = process.argv
const log = createLog('silent')
const app = await startApp({
  config: readConfig(JSON.parse(settings)),
  secrets: testSecrets,
  databaseUrl,
  log,
  failpoints: { hit: (point) => void (point === deadly && process.kill(process.pid, 'SIGKILL')) },
})
const job = app.ports.signing.jobs?.find(({ name }) => name === 'signing.seal')
await job?.work({ documentId }, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log })
await app.stop()

/** A node that seals one document and is killed on the way: with kill -9, at the failpoint it is told. */
import { startApp } from '#app'
import { readConfig } from '#config'
import { createLog } from '#kernel/log.ts'
import { expireSealLease } from '#test/harness/leases.ts'
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
/** The job of the other node may be the first to find the expired lease; then this one is refused and tries again. */
for (let attempt = 1; attempt <= 20; attempt += 1) {
  await expireSealLease(app.db, documentId)
  await job
    ?.work({ documentId }, { jobId: 'by hand', attempt, signal: AbortSignal.timeout(60_000), log })
    .catch(() => {})
}
await app.stop()

/** PostgreSQL is shut down and killed while two nodes accept events and execute runs: P1 to P3 still hold. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { ingestKey } from '#test/harness/bus.ts'
import { restoreCluster } from '#test/harness/cluster-cache.ts'
import { expireRunLeases } from '#test/harness/leases.ts'
import { atRest, expectPromisesKept, ingestUntilTaken, prepareListeners } from '#test/harness/promises.ts'
import { until } from '#test/kernel/until.ts'
import { startSite } from '#test/peers/site.ts'
import { isRunning, postmasterPid } from './running.ts'

const site = await startSite((_request, response) => void setTimeout(() => response.end('ok'), Math.random() * 60))
const dataDir = await mkdtemp(join(tmpdir(), 'chancery-restart-'))
// As root, PostgreSQL runs as another user, who must be able to enter the folder.
await chmod(dataDir, 0o711)
await restoreCluster(dataDir)
const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('silent') })
const env = {
  DATABASE_URL: postgres.url,
  SVC_EVENT_API_KEY: ingestKey,
  OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}`,
}
const startNode = () => testApp({ databaseUrl: postgres.url, env })
const [app, second] = [await startNode(), await startNode()]
afterAll(async () => {
  await Promise.all([app.stop(), second.stop()])
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
  await site.close()
})

it('a restart of PostgreSQL under load loses no accepted event, doubles no run and no node', {
  timeout: 150_000,
}, async () => {
  const listening = await prepareListeners(app, site.origin)
  const publishing: Promise<string>[] = []
  let taken = 0
  const publishSome = (count: number) => {
    for (let each = 0; each < count; each++) {
      const one = ingestUntilTaken(() => (each % 2 === 0 ? app : second).url, publishing.length)
      publishing.push(one)
      one.then(
        () => (taken += 1),
        () => undefined,
      )
    }
  }
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const before = taken
    publishSome(15)
    await until(() => taken > before + 3, 'some accepted events')
    const pid = await postmasterPid(dataDir)
    process.kill(pid, signal)
    // Published while the database is down: these are accepted once it is back.
    publishSome(5)
    await until(async () => !(await isRunning(pid, dataDir)), 'the end of PostgreSQL')
    await until(() => taken >= publishing.length - 2, 'its return')
  }
  const accepted = await Promise.all(publishing)
  expect(new Set(accepted).size).toBe(publishing.length)
  // Work in progress when the database went down is resumed after its lease expires.
  await expireRunLeases(app.db)
  await atRest(app.db)
  await expectPromisesKept(app.db, { ...listening, accepted })
})

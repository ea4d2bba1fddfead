/** The database behind one address: its connections fall silent, and it is replaced by another server. */
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
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
import { startPostgresProxy } from '#test/peers/postgres-proxy.ts'
import { startSite } from '#test/peers/site.ts'

const log = createLog('silent')
const site = await startSite((_request, response) => void response.end('ok'))
const folder = await mkdtemp(join(tmpdir(), 'chancery-failover-'))
// As root, PostgreSQL runs as another user, who must be able to walk in.
await chmod(folder, 0o711)
const startServer = async (name: string) => startEmbeddedPostgres({ dataDir: join(folder, name), log })

await mkdir(join(folder, 'first'))
await restoreCluster(join(folder, 'first'))
const first = await startServer('first')
const wire = await startPostgresProxy(first.url)
const env = { SVC_EVENT_API_KEY: ingestKey, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
const app = await testApp({ databaseUrl: wire.url, env })
let second: typeof first | undefined
afterAll(async () => {
  await app.stop()
  await wire.close()
  await first.stop()
  await second?.stop()
  await rm(folder, { recursive: true, force: true })
  await site.close()
})

const isReady = async () => (await app.anonymous.get('/ready')).status === 200

it('a silence and a failover lose no accepted event, double no run, and need nobody to restart anything', {
  timeout: 180_000,
}, async () => {
  const listening = await prepareListeners(app, site.origin)
  const accepted: string[] = []
  const publish = async (count: number) => {
    const from = accepted.length
    const taken = Array.from({ length: count }, (_, each) => ingestUntilTaken(() => app.url, from + each))
    accepted.push(...(await Promise.all(taken)))
  }
  await publish(5)

  // Every connection falls silent, the one that listens and the job engine's included; new ones would work.
  wire.abandon()
  await publish(5)
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true)

  // Another server with the same data takes over behind the same address, without a word to the connections.
  await atRest(app.db)
  await first.stop()
  await cp(join(folder, 'first'), join(folder, 'second'), { recursive: true, preserveTimestamps: true })
  second = await startServer('second')
  wire.abandon(second.url)
  await publish(5)
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true)

  await expireRunLeases(app.db)
  await atRest(app.db)
  expect(new Set(accepted).size).toBe(15)
  await expectPromisesKept(app.db, { ...listening, accepted })
})

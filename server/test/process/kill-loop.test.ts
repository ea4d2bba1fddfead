/** A50, in its bounded form: kill -9 at random moments while events come in and runs are under way. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { createDb, createPool } from '#kernel/db/database.ts'
import { testApp } from '#test/harness/app.ts'
import { ingestKey } from '#test/harness/bus.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { atRest, expectPromisesKept, ingestUntilTaken, prepareListeners } from '#test/harness/promises.ts'
import { startSite } from '#test/peers/site.ts'
import { launchChancery } from './chancery.ts'
import { tempFolder } from './temp-folder.ts'

const kills = 5
const site = await startSite((_request, response) => void setTimeout(() => response.end('ok'), Math.random() * 60))
const database = await cloneDatabase()
const pool = createPool({ connectionString: database.url, max: 4 })
pool.on('error', () => undefined)
const db = createDb(pool)
afterAll(async () => {
  await pool.end()
  await database.drop()
  await site.close()
})

const prepare = async () => {
  const app = await testApp({ databaseUrl: database.url })
  const listening = await prepareListeners(app, site.origin)
  await app.stop()
  return listening
}

it('A50: after kill -9, again and again, P1, P2 and P3 hold', { timeout: 240_000 }, async () => {
  const listening = await prepare()
  const dataDir = await tempFolder()
  const allowed = `127.0.0.1:${site.port}`
  const env = { DATABASE_URL: database.url, SVC_EVENT_API_KEY: ingestKey, OUTBOUND_ALLOWED_HOSTS: allowed }
  let chancery = launchChancery({ dataDir, env })
  let address = await chancery.ready
  const publishing: Promise<string>[] = []
  for (let kill = 0; kill < kills; kill++) {
    for (let count = 0; count < 12; count++) {
      publishing.push(ingestUntilTaken(() => address, publishing.length))
      await sleep(Math.random() * 15)
    }
    await sleep(Math.random() * 60)
    await chancery.end('SIGKILL')
    chancery = launchChancery({ dataDir, env })
    address = await chancery.ready
  }
  const accepted = await Promise.all(publishing)
  expect(new Set(accepted).size).toBe(publishing.length)
  // One lease, and some for a busy machine: each wait is bounded.
  await atRest(db).catch(() => atRest(db))
  await expectPromisesKept(db, { ...listening, accepted })
})

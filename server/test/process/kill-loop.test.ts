/**
 * A50, in its bounded form: kill -9 at random moments while events come in, runs are under way, and people publish,
 * snapshot and roll back.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { createDb } from '#kernel/db/database.ts'
import { testApp } from '#test/harness/app.ts'
import { ingestKey } from '#test/harness/bus.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { atRest, expectPromisesKept, ingestUntilTaken, prepareListeners } from '#test/harness/promises.ts'
import { expectVersionsKept, prepareVersions, workOnVersions } from '#test/harness/version-promises.ts'
import { startSite } from '#test/peers/site.ts'
import { launchChancery } from './chancery.ts'
import { tempFolder } from './temp-folder.ts'

const kills = 2
const site = await startSite((_request, response) => void setTimeout(() => response.end('ok'), Math.random() * 60))
const database = await cloneDatabase()
const pool = database.openPool(4)
const db = createDb(pool)
afterAll(async () => {
  await pool.end()
  await database.drop()
  await site.close()
})

const prepare = async () => {
  const app = await testApp({ databaseUrl: database.url })
  const prepared = { listening: await prepareListeners(app, site.origin), versions: await prepareVersions(app) }
  await app.stop()
  return prepared
}

it('A50: after kill -9, again and again, P1, P2 and P3 hold, and versions are whole', {
  timeout: 240_000,
}, async () => {
  const { listening, versions } = await prepare()
  const dataDir = await tempFolder()
  const allowed = `127.0.0.1:${site.port}`
  const env = { SVC_EVENT_API_KEY: ingestKey, OUTBOUND_ALLOWED_HOSTS: allowed }
  let address = ''
  const publishing: Promise<string>[] = []
  let isOver = false
  const work = { ...versions, addressOf: () => address, isOver: () => isOver }
  let working: ReturnType<typeof workOnVersions>[] = []
  for (let kill = 0; kill < kills; kill++) {
    const chancery = launchChancery({ dataDir, env: { ...env, DATABASE_URL: database.url } })
    address = await chancery.ready
    if (kill === 0) working = [workOnVersions(work), workOnVersions(work), workOnVersions(work)]
    for (let count = 0; count < 12; count++) {
      publishing.push(ingestUntilTaken(() => address, publishing.length))
      await sleep(Math.random() * 15)
    }
    await sleep(Math.random() * 60)
    await chancery.end('SIGKILL')
  }
  // Nothing kills the last node, so it needs no process of its own. Alone on its database, it waits for no lease.
  address = (await testApp({ databaseUrl: database.url, env })).url
  const accepted = await Promise.all(publishing)
  isOver = true
  const seen = (await Promise.all(working)).flat()
  expect(new Set(accepted).size).toBe(publishing.length)
  await atRest(db)
  await expectPromisesKept(db, { ...listening, accepted })
  await expectVersionsKept(db, { id: versions.id, seen })
})

/** A database whose disk is full: what was accepted stays, what is not is refused clearly, and work goes on with space. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { ingestKey, withKey } from '#test/harness/bus.ts'
import { restoreCluster } from '#test/harness/cluster-cache.ts'
import { expireRunLeases } from '#test/harness/leases.ts'
import { atRest, expectPromisesKept, ingestUntilTaken, prepareListeners } from '#test/harness/promises.ts'
import { until } from '#test/kernel/until.ts'
import { startSite } from '#test/peers/site.ts'
import { makeFolder } from './temp-folder.ts'

const name = 'a database without disk space'
const folder = await makeFolder()
const disk = join(folder, 'disk')

/** Needs root, and a container that may mount. */
const canMount = (() => {
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=755', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    console.warn(`SKIPPED, cannot mount a tmpfs: ${name}`)
    return false
  }
})()
const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
  if (canMount) execFileSync('umount', [disk])
  await rm(folder, { recursive: true, force: true })
})

const isFull = (problem: unknown): boolean => (problem as NodeJS.ErrnoException).code === 'ENOSPC'

/** Writes until not a byte is left. */
const fill = async (file: FileHandle): Promise<void> => {
  for (const size of [1_000_000, 4096])
    for (;;)
      try {
        if ((await file.write(Buffer.alloc(size, 1))).bytesWritten < size) break
      } catch (problem) {
        if (!isFull(problem)) throw problem
        break
      }
}

const start = async () => {
  const held: (() => void)[] = []
  let isHolding = false
  const site = await startSite((_request, response) => {
    const answer = () => response.end('ok')
    if (isHolding) held.push(answer)
    else answer()
  })
  stops.push(site.close)
  const dataDir = join(disk, 'data')
  mkdirSync(dataDir)
  await restoreCluster(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('silent') })
  stops.push(postgres.stop)
  const env = { SVC_EVENT_API_KEY: ingestKey, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
  const app = await testApp({ databaseUrl: postgres.url, env })
  stops.push(app.stop)
  return {
    site,
    app,
    held,
    holdAnswers: () => {
      isHolding = true
    },
    releaseAnswers: () => {
      isHolding = false
      for (const answer of held.splice(0)) answer()
    },
  }
}

describe.skipIf(!canMount)(name, { timeout: 180_000 }, () => {
  it('refuses events as database_full, loses none that it accepted, and goes on by itself once there is space', async () => {
    const { app, site, held, holdAnswers, releaseAnswers } = await start()
    const listening = await prepareListeners(app, site.origin)
    const accepted = await Promise.all([0, 1, 2].map((number) => ingestUntilTaken(() => app.url, number)))
    await atRest(app.db)

    // Calls are under way when the disk fills up, and end while it is full.
    holdAnswers()
    accepted.push(await ingestUntilTaken(() => app.url, 3))
    await until(() => held.length === 2, 'calls under way')
    const ballast = await open(join(disk, 'ballast'), 'w')
    const refusals: unknown[] = []
    let number = 4
    while (refusals.length < 3) {
      await fill(ballast)
      const payload = { text: randomBytes(40_000).toString('base64') }
      const body = { event_type: 'start', correlation_id: `c-${number}`, source: 'load', payload }
      const headers = { ...withKey, 'idempotency-key': `event-${number}` }
      const reply = await app.anonymous.post('/api/v1/events/ingest', body, headers)
      if (reply.status === 202) {
        accepted.push(reply.body.event_id)
        number += 1
      } else refusals.push({ status: reply.status, code: reply.body.code, retry: reply.headers.get('retry-after') })
    }
    expect(refusals).toEqual(refusals.map(() => ({ status: 503, code: 'database_full', retry: '30' })))
    releaseAnswers()
    const waiting = [0, 1, 2].map((each) => ingestUntilTaken(() => app.url, number + each))

    await ballast.close()
    await rm(join(disk, 'ballast'))
    accepted.push(...(await Promise.all(waiting)))
    await expireRunLeases(app.db)
    await atRest(app.db)
    await expectPromisesKept(app.db, { ...listening, accepted })
    expect(await app.db.selectFrom('eventDeadLetters').selectAll().execute()).toEqual([])
  })
})

/** kill -9 at the worst moments: the next start recovers by itself and loses nothing. */
import { expect, it, vi } from 'vitest'
import { startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { restoreCluster } from '#test/harness/cluster-cache.ts'
import { launchChancery, post } from './chancery.ts'
import { isRunning, postmasterPid } from './running.ts'
import { tempFolder } from './temp-folder.ts'

const person = { name: 'Ana Silva', email: 'ana@example.org', password: 'a long quiet river' }

const register = async (address: string) => expect((await post(address, '/api/auth/register', person)).status).toBe(201)

const expectLogin = async (address: string) => {
  const { email, password } = person
  expect((await post(address, '/api/auth/login', { email, password })).status).toBe(200)
}

it('after kill -9 of the server, of the database alone under load, and of both, all data is there and work goes on', {
  timeout: 90_000,
}, async () => {
  const dataDir = await tempFolder()
  await restoreCluster(dataDir)
  const first = launchChancery({ dataDir })
  await register(await first.ready)
  const leftOver = await postmasterPid(dataDir)
  expect(await first.end('SIGKILL')).toBe('SIGKILL')
  expect(await isRunning(leftOver, dataDir)).toBe(true)

  const second = launchChancery({ dataDir })
  const address = await second.ready
  await expectLogin(address)
  expect(await isRunning(leftOver, dataDir)).toBe(false)
  for (let death = 1; death <= 2; death++) {
    const inFlight = Array.from({ length: 20 }, () => fetch(`${address}/health/db`).then((reply) => reply.text()))
    await inFlight[0]
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    await Promise.all(inFlight)
    await vi.waitFor(() => expectLogin(address), { timeout: 20_000, interval: 200 })
  }
  const postmaster = await postmasterPid(dataDir)
  const ended = second.end('SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  await ended

  // Nothing kills the last one, so it needs no process of its own.
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('silent') })
  atEnd(postgres.stop)
  await expectLogin((await testApp({ databaseUrl: postgres.url })).url)
})

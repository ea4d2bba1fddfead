/** kill -9 at the worst moments: the next start recovers by itself and loses nothing. */
import { readdir } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
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

describe('after kill -9', { timeout: 90_000 }, () => {
  it('of the server, of both, and of the database alone under load, all data is there and work goes on', async () => {
    const dataDir = await tempFolder()
    await restoreCluster(dataDir)
    const first = launchChancery({ dataDir })
    await register(await first.ready)
    const leftOver = await postmasterPid(dataDir)
    expect(await first.end('SIGKILL')).toBe('SIGKILL')
    expect(await isRunning(leftOver)).toBe(true)

    const second = launchChancery({ dataDir })
    await expectLogin(await second.ready)
    expect(await isRunning(leftOver)).toBe(false)
    const postmaster = await postmasterPid(dataDir)
    const ended = second.end('SIGKILL')
    process.kill(postmaster, 'SIGKILL')
    await ended

    const third = launchChancery({ dataDir })
    const address = await third.ready
    await expectLogin(address)
    for (let death = 1; death <= 2; death++) {
      const inFlight = Array.from({ length: 100 }, () => fetch(`${address}/health/db`).then((reply) => reply.text()))
      await inFlight[0]
      process.kill(await postmasterPid(dataDir), 'SIGKILL')
      await Promise.all(inFlight)
      await vi.waitFor(() => expectLogin(address), { timeout: 20_000, interval: 200 })
    }
    expect(await third.end('SIGTERM')).toBe(0)
  })

  it('in the middle of making the database, again and again, the next start makes it whole', async () => {
    const dataDir = await tempFolder()
    for (const moment of ['postgres.unfinished-', 'postgres']) {
      const doomed = launchChancery({ dataDir })
      await vi.waitFor(
        async () => expect((await readdir(dataDir)).some((name) => name.startsWith(moment))).toBe(true),
        {
          timeout: 20_000,
          interval: 5,
        },
      )
      await doomed.end('SIGKILL')
    }
    await register(await launchChancery({ dataDir }).ready)
    expect((await readdir(dataDir)).filter((name) => name.includes('unfinished'))).toEqual([])
  })
})

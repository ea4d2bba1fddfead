/** Two servers on one port under a supervisor, driven from outside. */
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFailed, vi } from 'vitest'
import { restoreCluster } from '#test/harness/cluster-cache.ts'
import { expectFilesRead, expectOneAllowance, expectOneFanOut, expectOneScrape, register } from './as-one.ts'
import { launchChancery } from './chancery.ts'
import { childrenNaming, isRunning, postmasterPid, processesNaming } from './running.ts'
import { makeFolder } from './temp-folder.ts'

const command = [process.execPath, fileURLToPath(new URL('impatient.ts', import.meta.url))]
const scrapeToken = 'scrape-'.repeat(6)
const slow = { timeout: 60_000, interval: 50 }

let dataDir = ''
beforeAll(async () => {
  dataDir = await makeFolder()
  await restoreCluster(dataDir)
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const serversOf = (pid: number) => childrenNaming(pid, 'serve.ts')

/** The server that answered, by the prefix of its request ids. */
const askWho = (address: string, agent?: Agent) =>
  new Promise<string>((resolve, reject) => {
    const asked = request(`${address}/health`, { agent }, (reply) => {
      reply.resume().on('end', () => {
        if (reply.statusCode === 200) resolve(String(reply.headers['x-request-id']).split('-')[0] ?? '')
        else reject(new Error(String(reply.statusCode)))
      })
    })
    asked.on('error', reject).end()
  })
/** On connections of their own, made at the same time. */
const askMany = async (address: string) =>
  new Set(await Promise.all(Array.from({ length: 40 }, () => askWho(address, new Agent()))))
const expectBoth = (address: string) => vi.waitFor(async () => expect((await askMany(address)).size).toBe(2), slow)
const expectOthers = (pid: number, before: readonly number[]) =>
  vi.waitFor(async () => {
    const now = await serversOf(pid)
    expect(now.filter((server) => !before.includes(server))).toHaveLength(2)
    expect(now).toHaveLength(2)
  }, slow)

describe.runIf(process.platform === 'linux')('several servers on one machine', { timeout: 240_000 }, () => {
  it('answer as one under one address, are replaced without a failed request or when they die or hang, end with their supervisor or with the next start, and say once that they cannot start', async () => {
    const chancery = launchChancery({ dataDir, command, env: { SVC_PROCESSES: '2', METRICS_TOKEN: scrapeToken } })
    const address = await chancery.ready
    onTestFailed(() => void process.stderr.write(chancery.output()))
    await expectBoth(address)
    expect(chancery.output().match(/ready at/g)).toHaveLength(1)

    const ana = await register(address)
    for (const transports of [['websocket'], ['polling'], ['polling', 'websocket']])
      await expectOneFanOut(address, ana, transports)
    await expectFilesRead(ana)
    await expectOneAllowance(address)
    await expectOneScrape(address, scrapeToken)

    const before = await serversOf(chancery.pid)
    const failures: string[] = []
    let answered = 0
    let isOver = false
    const asking = async (agent: Agent): Promise<void> => {
      while (!isOver) {
        await askWho(address, agent).then(
          () => {
            answered += 1
          },
          (problem: Error) => failures.push(problem.message),
        )
        await sleep(3)
      }
    }
    const load = [new Agent(), new Agent(), new Agent({ keepAlive: true }), new Agent({ keepAlive: true })].map(asking)
    process.kill(chancery.pid, 'SIGHUP')
    await expectOthers(chancery.pid, before)
    isOver = true
    await Promise.all(load)
    expect(failures).toEqual([])
    expect(answered).toBeGreaterThan(50)

    const { pid } = chancery
    const [killed = 0, frozen = 0] = await serversOf(pid)
    process.kill(killed, 'SIGKILL')
    process.kill(frozen, 'SIGSTOP')
    await expectOthers(pid, [killed, frozen])
    await expectBoth(address)

    const [left = 0, other = 0] = await serversOf(pid)
    const postmaster = await postmasterPid(dataDir)
    process.kill(left, 'SIGSTOP')
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(async () => expect(await isRunning(other, 'serve.ts')).toBe(false), slow)
    process.kill(postmaster, 'SIGQUIT')
    expect(await isRunning(left, 'serve.ts')).toBe(true)

    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const port = String((taken.address() as AddressInfo).port)
    const refused = launchChancery({ dataDir, command, env: { SVC_PROCESSES: '2', PORT: port } })
    expect(await refused.ended).toBe(1)
    expect(refused.output().match(/is taken/g)).toHaveLength(1)
    taken.close()
    expect(await chancery.ended).toBe('SIGKILL')
    await vi.waitFor(async () => expect(await processesNaming(dataDir)).toEqual([]), slow)
  })
})

/** Start and stop of the server process, driven from outside. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { restoreCluster } from '#test/harness/cluster-cache.ts'
import { freePort } from '#test/peers/free-port.ts'
import { asOtherUser, isRoot, otherUser } from './as-root.ts'
import { launchChancery } from './chancery.ts'
import { isRunning, postmasterPid, processesNaming, uidOf } from './running.ts'
import { makeFolder, tempFolder } from './temp-folder.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A data folder with its database made, for all tests that do not need a fresh one. */
let used = ''
beforeAll(async () => {
  used = await makeFolder()
  await restoreCluster(used)
})
afterAll(() => rm(used, { recursive: true, force: true }))

const expectNothingLeft = async (dataDir: string) =>
  vi.waitFor(async () => expect(await processesNaming(dataDir)).toEqual([]), { timeout: 10_000 })

describe('coming up', { timeout: 90_000 }, () => {
  it('answers /health on a fresh data folder, refuses a second start beside it, and stops on SIGTERM, database included', async () => {
    const dataDir = await tempFolder()
    const first = launchChancery({ dataDir })
    const health = await fetch(`${await first.ready}/health`)
    expect({ status: health.status, body: await health.json() }).toEqual({ status: 200, body: { status: true } })
    const postmaster = await postmasterPid(dataDir)
    expect(await uidOf(first.pid)).toBe(process.getuid?.())
    // Started by root, the database runs as another user.
    expect(await uidOf(postmaster)).not.toBe(0)

    const second = launchChancery({ dataDir })
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(`Chancery is already running on this data folder (pid ${first.pid})`)
    expect(second.output().trim().split('\n')).toHaveLength(1)
    // A reload has nothing to replace here, and must not end the server.
    process.kill(first.pid, 'SIGHUP')
    await vi.waitFor(() => expect(first.output()).toContain('SIGHUP'), { timeout: 10_000 })
    expect((await fetch(`${await first.ready}/health`)).status).toBe(200)

    expect(await first.end('SIGTERM')).toBe(0)
    expect(await isRunning(postmaster, dataDir)).toBe(false)
    await expectNothingLeft(dataDir)
  })

  it.each([
    ['a JWT_SECRET that is too short', { JWT_SECRET: 'x'.repeat(63) }, 'JWT_SECRET'],
    ['a port that is no port', { PORT: 'eighty' }, 'PORT'],
    ['a data folder that cannot be made', { SVC_DATA_DIR: '/dev/null/data' }, '/dev/null/data'],
  ])('stops with one sentence on %s', async (_, env, named) => {
    const chancery = launchChancery({ dataDir: used, env })
    expect(await chancery.ended).toBe(1)
    expect(chancery.output().trim().split('\n')).toHaveLength(1)
    expect(chancery.output()).toContain(named)
    expect(chancery.output()).not.toContain('x'.repeat(63))
  })

  it('stops with one sentence when the port is taken, and takes its database down', async () => {
    const neighbour = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void neighbour.close())
    await once(neighbour, 'listening')
    const address = neighbour.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const chancery = launchChancery({ dataDir: used, env: { PORT: port } })
    expect(await chancery.ended).toBe(1)
    expect(chancery.output()).toContain(`Port ${port} is taken`)
    await expectNothingLeft(used)
  })
})

describe('going down', { timeout: 90_000 }, () => {
  it.runIf(process.platform === 'linux')('stops cleanly on Ctrl-C in the terminal where npm start runs', async () => {
    // `script` gives it a terminal: the server then gets the signal twice, from there and passed on by npm.
    const npm = `exec npm start --ignore-scripts --prefix '${root}'`
    const command = ['script', '--quiet', '--return', '--command', npm, '/dev/null']
    const chancery = launchChancery({ dataDir: used, command })
    await chancery.ready
    const postmaster = await postmasterPid(used)
    chancery.type('\u0003')
    expect(await chancery.ended).toBe(0)
    expect(chancery.output()).not.toMatch(/npm error|while stopping/)
    expect(await isRunning(postmaster, used)).toBe(false)
    await expectNothingLeft(used)
  })

  it('started with npm start by an ordinary user, runs its database as that user and stops cleanly when npm gets SIGTERM', async () => {
    const user = isRoot ? otherUser : process.getuid?.()
    const dataDir = await tempFolder()
    await restoreCluster(dataDir)
    await promisify(execFile)('chown', ['-R', String(user), dataDir])
    const command = ['npm', 'start', '--ignore-scripts', '--prefix', root]
    const chancery = launchChancery({ dataDir, prefix: isRoot ? asOtherUser : [], command })
    expect((await fetch(`${await chancery.ready}/health`)).status).toBe(200)
    const postmaster = await postmasterPid(dataDir)
    expect(await uidOf(chancery.pid)).toBe(user)
    expect(await uidOf(postmaster)).toBe(user)
    // As a service manager does it.
    expect(await chancery.end('SIGTERM')).toBe(0)
    await vi.waitFor(async () => expect(await isRunning(postmaster, dataDir)).toBe(false), { timeout: 20_000 })
    await expectNothingLeft(dataDir)
  })

  it('leaves nothing running when it is stopped while it starts', async () => {
    const dataDir = await tempFolder()
    const chancery = launchChancery({ dataDir })
    const isMaking = async () => (await readdir(dataDir)).some((name) => name.startsWith('postgres'))
    await vi.waitFor(async () => expect(await isMaking()).toBe(true), { timeout: 20_000, interval: 10 })
    await chancery.end('SIGTERM')
    await expectNothingLeft(dataDir)
  })

  it('stops without a word of complaint while its app starts', async () => {
    const port = await freePort()
    const chancery = launchChancery({ dataDir: used, env: { PORT: String(port), LOG_LEVEL: 'silent' } })
    // It answers before its jobs have started, which need the database that is about to go.
    const answers = () => fetch(`http://127.0.0.1:${port}/health`)
    await vi.waitFor(answers, { timeout: 20_000, interval: 5 })
    expect(await chancery.end('SIGTERM')).toBe(0)
    expect(chancery.output()).not.toContain('rror')
    await expectNothingLeft(used)
  })
})

/** The embedded PostgreSQL on a database that is there already: restarts, left-overs, sudden deaths, rights. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { restoreCluster } from '#test/harness/cluster-cache.ts'
import { ask } from '#test/process/ask.ts'
import { startHolder } from '#test/process/holder.ts'
import { isRunning, postmasterPid } from '#test/process/running.ts'
import { makeFolder } from '#test/process/temp-folder.ts'
import { type Options, startEmbeddedPostgres } from './index.ts'

let dataDir = ''

/** One database for all these tests, and each leaves it stopped. */
beforeAll(async () => {
  dataDir = await makeFolder()
  await restoreCluster(dataDir)
  const server = await startEmbeddedPostgres({ dataDir, log: createLog('silent') })
  await ask(server.url, 'create table kept as select 42 as answer')
  await server.stop()
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const start = async (options: Partial<Options> = {}) => {
  const server = await startEmbeddedPostgres({ dataDir, log: createLog('silent'), ...options })
  onTestFinished(() => server.stop())
  return server
}

const expectData = async (url: string) => expect(await ask(url, 'select answer from kept')).toEqual({ answer: 42 })

describe('a later start', () => {
  it('finds the data again, also under a new password', async () => {
    const first = await start()
    await expectData(first.url)
    await first.stop()
    const second = await start({ password: 'another: one/with "signs"?' })
    expect(second.url).not.toBe(first.url)
    await expectData(second.url)
  })

  it.each([
    ['names a process that is not PostgreSQL', `${process.pid}\n/elsewhere\n`],
    ['names a process that is gone', '4194304\n/elsewhere\n'],
    ['is empty', ''],
    ['is nonsense', 'nonsense\n'],
  ])('recovers when the left-over pid file %s', async (_, content) => {
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), content)
    await expectData((await start()).url)
  })

  it('recovers when a left-over socket lock names a live process', async () => {
    await writeFile(join(dataDir, 'run', '.s.PGSQL.5432'), '')
    await writeFile(join(dataDir, 'run', '.s.PGSQL.5432.lock'), `${process.ppid}\n`)
    await expectData((await start()).url)
  })

  it('stops the PostgreSQL of a Chancery that was killed, and starts its own', async () => {
    const holder = await startHolder(dataDir, { what: 'postgres' })
    const leftOver = await postmasterPid(dataDir)
    await holder.kill()
    expect(await isRunning(leftOver, dataDir)).toBe(true)
    await expectData((await start()).url)
    expect(await isRunning(leftOver, dataDir)).toBe(false)
    expect(await postmasterPid(dataDir)).not.toBe(leftOver)
  })

  it('says in one sentence which setting PostgreSQL does not know', async () => {
    const refusal = await start({ settings: { no_such_setting: '1' } }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(StartError)
    expect(String(refusal)).toContain('unrecognized configuration parameter "no_such_setting"')
  })
})

describe('the connection', () => {
  it('wants the password', async () => {
    const guess = new URL((await start()).url)
    guess.password = 'guessed'
    await expect(ask(guess.href, 'select 1')).rejects.toThrow('password authentication failed')
  })

  it('may clone databases, but not read files or run programs', async () => {
    const { url } = await start()
    await ask(url, 'create database a_clone template chancery')
    await ask(url, 'drop database a_clone')
    await expect(ask(url, "select pg_read_file('/etc/passwd')")).rejects.toThrow('permission denied')
    await expect(ask(url, "copy (select 1) to program 'true'")).rejects.toThrow('permission denied')
  })
})

describe('a running server', () => {
  it('comes back by itself when PostgreSQL is killed, again and again, with all that was committed', async () => {
    const { url } = await start()
    for (let death = 1; death <= 3; death++) {
      const pid = await postmasterPid(dataDir)
      await ask(url, `create table death_${death} ()`)
      process.kill(pid, 'SIGKILL')
      await vi.waitFor(() => ask(url, `select from death_${death}`), { timeout: 20_000 })
      expect(await postmasterPid(dataDir)).not.toBe(pid)
    }
    await expectData(url)
  })

  it('is gone after stop, also when stopped while it is being restarted', async () => {
    const server = await start()
    const pid = await postmasterPid(dataDir)
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(async () => expect(await isRunning(pid, dataDir)).toBe(false))
    await server.stop()
    await expect(ask(server.url, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
  })

  it('stops although a client holds a transaction open', async () => {
    const server = await start()
    const client = new pg.Client({ connectionString: server.url })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('begin; create table half_done ()')
    const pid = await postmasterPid(dataDir)
    await server.stop()
    expect(await isRunning(pid, dataDir)).toBe(false)
  })

  it.runIf(process.platform === 'linux')('knows none of our environment', async () => {
    process.env.CHANCERY_TEST_SECRET = 'not for PostgreSQL'
    onTestFinished(() => void delete process.env.CHANCERY_TEST_SECRET)
    await start()
    const environment = await readFile(`/proc/${await postmasterPid(dataDir)}/environ`, 'utf8')
    expect(environment).toContain('TZ=UTC')
    expect(environment).not.toContain('CHANCERY_TEST_SECRET')
  })
})

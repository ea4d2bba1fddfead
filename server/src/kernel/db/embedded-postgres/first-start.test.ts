/** The embedded PostgreSQL with its real binaries, in data folders that hold no database yet. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { ask } from '#test/process/ask.ts'
import { launchHolder } from '#test/process/holder.ts'
import { tempFolder } from '#test/process/temp-folder.ts'
import { findBinaries } from './binaries.ts'
import { startEmbeddedPostgres } from './index.ts'

const start = async (dataDir: string) => {
  const server = await startEmbeddedPostgres({ dataDir, log: createLog('silent') })
  onTestFinished(() => server.stop())
  return server
}

describe('the first start', () => {
  it('makes a durable UTF-8 database with checksums that no network can reach, also after a start that was killed', async () => {
    const dataDir = join(await tempFolder(), `it's "my", data`)
    // The name has spaces, commas and quotes. The remains of initdb are ignored, and an empty folder is replaced.
    await mkdir(join(dataDir, 'postgres.unfinished-x', 'cluster', 'base'), { recursive: true })
    await mkdir(join(dataDir, 'postgres'))
    const { url } = await start(dataDir)
    const facts = await ask(
      url,
      `select current_database() as database, current_setting('fsync') as fsync,
        current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
        current_setting('listen_addresses') as addresses, current_setting('TimeZone') as zone,
        inet_server_addr() as address, lower('ÄÇ') as lowered`,
    )
    expect(facts).toEqual({
      database: 'chancery',
      fsync: 'on',
      checksums: 'on',
      encoding: 'UTF8',
      addresses: '',
      zone: 'UTC',
      address: null,
      lowered: 'äç',
    })
  })

  it('works in a folder whose path is too long for a socket', async () => {
    const dataDir = join(await tempFolder(), 'd'.repeat(120))
    const { url } = await start(dataDir)
    const socketFolder = new URL(url).searchParams.get('host') ?? ''
    onTestFinished(() => rm(socketFolder, { recursive: true }))
    expect(socketFolder).not.toContain(dataDir)
    expect(await ask(url, 'select 1 as one')).toEqual({ one: 1 })
  })

  it('makes it whole after others were killed in the middle of it, again and again', { timeout: 90_000 }, async () => {
    const dataDir = await tempFolder()
    for (const moment of [/^postgres\.unfinished-/, /^postgres$/]) {
      const doomed = launchHolder(dataDir, { what: 'postgres' })
      const isThere = async () => (await readdir(dataDir)).some((name) => moment.test(name))
      await vi.waitFor(async () => expect(await isThere()).toBe(true), { timeout: 20_000, interval: 5 })
      await doomed.kill()
    }
    const { url } = await start(dataDir)
    expect(await ask(url, 'select 1 as one')).toEqual({ one: 1 })
    expect((await readdir(dataDir)).filter((name) => name.includes('unfinished'))).toEqual([])
  })
})

describe('what stops the first start with one sentence', () => {
  it('a database of another major version', async () => {
    const dataDir = await tempFolder()
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    await expect(start(dataDir)).rejects.toThrow(/was made by PostgreSQL 17 and this Chancery brings 18/)
  })

  it('something else where the database should be', async () => {
    const dataDir = await tempFolder()
    await mkdir(join(dataDir, 'postgres', 'photos'), { recursive: true })
    await expect(start(dataDir)).rejects.toThrow(/holds something that is not a database/)
  })

  it('a platform without binaries', async () => {
    const refusal = await findBinaries('plan9-mips').catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(StartError)
    expect(String(refusal)).toContain('set DATABASE_URL to your own PostgreSQL')
  })
})

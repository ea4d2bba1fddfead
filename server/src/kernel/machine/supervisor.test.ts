import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { childrenNaming } from '#test/process/running.ts'
import { makeFolder } from '#test/process/temp-folder.ts'
import { createLog } from '../log.ts'
import { openFolders } from './left-overs.ts'
import { createSupervisor } from './supervisor.ts'

const program = fileURLToPath(new URL('../../../test/process/small-server.ts', import.meta.url))
const secrets = { JWT_SECRET: '', SVC_SECRET_KEY: '', ADMIN_SETUP_KEY: '' }
const slow = { timeout: 20_000, interval: 20 }
const sorted = (pids: readonly number[]) => pids.toSorted((one, other) => one - other)
const running = async () => sorted(await childrenNaming(process.pid, 'small-server.ts'))

const supervise = async (times: { firstPauseMs?: number; patienceMs?: number } = {}) => {
  const folder = await makeFolder()
  const folders = await openFolders(folder, createLog('silent'))
  const place = { program, count: 2, folders, port: 1, host: '127.0.0.1', databaseUrl: Promise.resolve(folder) }
  const supervisor = createSupervisor({ ...place, secrets, log: createLog('silent'), ...times })
  const release = () => rmSync(`${folder}/wait`, { force: true })
  onTestFinished(async () => {
    release()
    await supervisor.stop().catch(() => undefined)
    rmSync(folder, { recursive: true, force: true })
  })
  const reach = async (file: 'started' | 'ready', count: number): Promise<number[]> =>
    vi.waitFor(() => {
      const pids = readFileSync(`${folder}/${file}`, 'utf8').trim().split('\n').map(Number)
      expect(pids).toHaveLength(count)
      return pids
    }, slow)
  return { supervisor, reach, release, hold: () => writeFileSync(`${folder}/wait`, '') }
}

describe.runIf(process.platform === 'linux')('the supervisor', () => {
  it('keeps as many servers when one dies while its successor is being started', async () => {
    const { supervisor, reach, hold, release } = await supervise({ firstPauseMs: 1000 })
    await supervisor.start()
    const [first = 0] = await reach('ready', 2)
    hold()
    const rolling = supervisor.roll()
    await reach('started', 3)
    process.kill(first, 'SIGKILL')
    await vi.waitFor(async () => expect(await running()).toHaveLength(2), slow)
    release()
    await rolling
    const successors = (await reach('ready', 4)).slice(2)
    await sleep(1500)
    expect(await running()).toEqual(sorted(successors))
  })

  it('replaces the servers once more when it is told to while it does', async () => {
    const { supervisor, reach, hold, release } = await supervise()
    await supervisor.start()
    await reach('ready', 2)
    hold()
    const rolls = [supervisor.roll()]
    await reach('started', 3)
    rolls.push(supervisor.roll(), supervisor.roll())
    release()
    await Promise.all(rolls)
    expect(await running()).toEqual(sorted((await reach('ready', 6)).slice(4)))
  })

  it('replaces the servers that are being started when it is told to', async () => {
    const { supervisor, reach, hold, release } = await supervise()
    hold()
    const starting = supervisor.start()
    const [first] = await reach('started', 1)
    const rolling = supervisor.roll()
    release()
    await Promise.all([starting, rolling])
    expect(await running()).toHaveLength(2)
    expect(await running()).not.toContain(first)
  })

  it('does not wait longer for a server that hangs while it starts than for others when it stops', async () => {
    const { supervisor, reach, hold } = await supervise({ patienceMs: 1000 })
    hold()
    supervisor.start().catch(() => undefined)
    const [frozen = 0] = await reach('started', 1)
    process.kill(frozen, 'SIGSTOP')
    await expect(supervisor.stop()).rejects.toThrow(`servers did not stop cleanly: ${frozen} (SIGKILL)`)
  })
})

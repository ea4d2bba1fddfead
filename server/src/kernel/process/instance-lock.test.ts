import { once } from 'node:events'
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startHolder } from '#test/process/holder.ts'
import { tempFolder } from '#test/process/temp-folder.ts'
import { takeInstanceLock } from './instance-lock.ts'
import { StartError } from './start-error.ts'

const take = async (dataDir: string) => {
  const lock = await takeInstanceLock(dataDir)
  onTestFinished(() => lock.release().catch(() => undefined))
  return lock
}

describe('the instance lock', () => {
  it('refuses a second start and names the process that runs', async () => {
    const dataDir = await tempFolder()
    const holder = await startHolder(dataDir)
    const refusal = await takeInstanceLock(dataDir).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(StartError)
    expect(String(refusal)).toContain(`Chancery is already running on this data folder (pid ${holder.pid})`)
  })

  it('is free at once after kill -9 of its holder', async () => {
    const dataDir = await tempFolder()
    const holder = await startHolder(dataDir)
    await holder.kill()
    await expect(take(dataDir)).resolves.toBeDefined()
  })

  it('is free again after release', async () => {
    const dataDir = await tempFolder()
    await (await take(dataDir)).release()
    await expect(take(dataDir)).resolves.toBeDefined()
  })

  it('lets exactly one of many simultaneous starts win', async () => {
    const dataDir = await tempFolder()
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => take(dataDir)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StartError)
  })

  it('knows one folder under two paths', async () => {
    const parent = await tempFolder()
    await mkdir(join(parent, 'data'))
    await symlink(join(parent, 'data'), join(parent, 'alias'))
    await take(join(parent, 'data'))
    await expect(take(join(parent, 'alias'))).rejects.toThrow('already running')
  })

  it('keeps different folders apart', async () => {
    await take(await tempFolder())
    await expect(take(await tempFolder())).resolves.toBeDefined()
  })

  it('makes the data folder when it is missing', async () => {
    const dataDir = join(await tempFolder(), 'not', 'yet', 'there')
    await expect(take(dataDir)).resolves.toBeDefined()
  })

  it('says in one sentence that the data folder is a file', async () => {
    const path = join(await tempFolder(), 'file')
    await writeFile(path, '')
    await expect(take(path)).rejects.toThrow(`The folder ${path} cannot be used: it is a file, not a folder`)
  })

  it.runIf(process.platform === 'linux')('is not disturbed by callers that hang up before the answer', async () => {
    const dataDir = await tempFolder()
    const holder = await startHolder(dataDir)
    const { dev, ino } = await stat(dataDir, { bigint: true })
    for (let call = 0; call < 50; call++) {
      const socket = connect({ path: `\0chancery-${dev}-${ino}` })
      await once(socket, 'connect')
      socket.destroy()
    }
    await expect(take(dataDir)).rejects.toThrow(`(pid ${holder.pid})`)
  })
})

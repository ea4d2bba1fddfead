/** The user that PostgreSQL runs as, and their powers. */
import { execFile } from 'node:child_process'
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createLog } from '#kernel/log.ts'
import {
  asOtherUser,
  describeAsRoot,
  describeWithCapability,
  otherUser,
  withoutCapability,
} from '#test/process/as-root.ts'
import { startHolder } from '#test/process/holder.ts'
import { postmasterPid } from '#test/process/running.ts'
import { tempFolder } from '#test/process/temp-folder.ts'
import { chooseAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { startEmbeddedPostgres } from './index.ts'

const start = async (dataDir: string) => {
  const server = await startEmbeddedPostgres({ dataDir, log: createLog('silent') })
  onTestFinished(() => server.stop())
  return server
}

const powersOf = async (pid: number) => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return {
    uid: Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]),
    groups: /^Groups:[ \t]*(.*?)[ \t]*$/m.exec(status)?.[1],
    capabilities: /^CapEff:\s+0*(\w+)/m.exec(status)?.[1],
  }
}

/** Bit 2: read files and enter folders despite permissions. */
const readingPastPermissions = '4'

describeAsRoot('PostgreSQL started by root', () => {
  it('runs as the owner of its files, who may not be root, and without any capability', async () => {
    const dataDir = await tempFolder()
    const usual = (await chooseAccount('/nowhere'))?.uid
    for (const [owner, runsAs] of [
      ['nobody yet', usual],
      [otherUser, otherUser],
      [0, usual],
    ]) {
      if (typeof owner === 'number')
        await promisify(execFile)('chown', ['-R', String(owner), join(dataDir, 'postgres')])
      const server = await start(dataDir)
      expect(await powersOf(await postmasterPid(dataDir))).toEqual({ uid: runsAs, groups: '', capabilities: '0' })
      await server.stop()
    }
    expect((await stat(dataDir)).uid).toBe(0)
  })

  it('names the closed folder and the user when that power cannot be granted', async () => {
    const closed = await tempFolder(0o700)
    const held = startHolder(join(closed, 'data'), { what: 'postgres', prefix: withoutCapability })
    const { name } = (await chooseAccount(join(closed, 'data', 'postgres'))) ?? {}
    await expect(held).rejects.toThrow(`PostgreSQL runs as user ${name}, who may not enter ${closed}:`)
  })

  it('becomes nobody on a machine without a user postgres, and says so where there is neither', async () => {
    const passwd = join(await tempFolder(), 'passwd')
    await writeFile(passwd, 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n')
    expect(await chooseAccount('/nowhere', passwd)).toEqual({ name: 'nobody', uid: 65534, gid: 65534 })
    await writeFile(passwd, 'root:x:0:0::/root:/bin/sh\n')
    await expect(chooseAccount('/nowhere', passwd)).rejects.toThrow(/neither a user postgres nor nobody/)
  })
})

describeWithCapability('PostgreSQL started by root below a folder closed to others', () => {
  it('may read past permissions, and no more', async () => {
    const closed = await tempFolder(0o700)
    const dataDir = join(closed, 'data')
    await start(dataDir)
    const { uid, capabilities } = await powersOf(await postmasterPid(dataDir))
    expect(uid).not.toBe(0)
    expect(capabilities).toBe(readingPastPermissions)
    expect((await stat(closed)).mode & 0o777).toBe(0o700)
  })
})

describeAsRoot('PostgreSQL started by an ordinary user', () => {
  it('runs as that user', async () => {
    const dataDir = join(await tempFolder(), 'data')
    await mkdir(dataDir)
    await chown(dataDir, otherUser, otherUser)
    await startHolder(dataDir, { what: 'postgres', prefix: asOtherUser })
    expect((await powersOf(await postmasterPid(dataDir))).uid).toBe(otherUser)
  })

  it('refuses files of somebody else in one sentence', async () => {
    const dataDir = await tempFolder(0o777)
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), `${(await findBinaries()).major}\n`)
    const held = startHolder(dataDir, { what: 'postgres', prefix: asOtherUser })
    await expect(held).rejects.toThrow(/belongs to another user \(uid \d+\): start Chancery as that user/)
  })

  it('refuses a data folder it may not write in one sentence', async () => {
    const dataDir = await tempFolder()
    const held = startHolder(dataDir, { what: 'postgres', prefix: asOtherUser })
    await expect(held).rejects.toThrow(`The folder ${dataDir} cannot be used: this user may not write there`)
  })
})

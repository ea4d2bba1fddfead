/** The whole server, started by root and by an ordinary user. */
import { chown, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asOtherUser, describeAsRoot, otherUser } from './as-root.ts'
import { launchChancery } from './chancery.ts'
import { postmasterPid } from './running.ts'
import { tempFolder } from './temp-folder.ts'

const uidOf = async (pid: number) => Number(/^Uid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])

describeAsRoot('the server process', () => {
  it('started by root keeps its database under another user', async () => {
    const dataDir = join(await tempFolder(), 'data')
    const chancery = launchChancery({ dataDir })
    expect((await fetch(`${await chancery.ready}/health`)).status).toBe(200)
    expect(await uidOf(chancery.pid)).toBe(0)
    expect(await uidOf(await postmasterPid(dataDir))).not.toBe(0)
    expect(await chancery.end('SIGTERM')).toBe(0)
  })

  it('started by an ordinary user runs its database as that user', async () => {
    const dataDir = join(await tempFolder(), 'data')
    await mkdir(dataDir)
    await chown(dataDir, otherUser, otherUser)
    const chancery = launchChancery({ dataDir, prefix: asOtherUser })
    expect((await fetch(`${await chancery.ready}/health`)).status).toBe(200)
    expect(await uidOf(chancery.pid)).toBe(otherUser)
    expect(await uidOf(await postmasterPid(dataDir))).toBe(otherUser)
    expect(await chancery.end('SIGTERM')).toBe(0)
  })
})

/** What the machine itself gives: folder and disk. */
import { stat, statfs } from 'node:fs/promises'
import { openDataFolder } from '#kernel/process/data-folder.ts'
import { type Check, failed, ok, warning } from './check.ts'

const gigabyte = 1e9

export const dataFolder: Check = {
  name: 'Data folder',
  advice: 'Set SVC_DATA_DIR to a folder that the server may write.',
  run: async ({ dataDir }) => {
    const path = await openDataFolder(dataDir)
    const { uid } = await stat(path)
    const ours = process.getuid?.() ?? uid
    if (uid === ours || ours === 0) return ok(path)
    return warning(`${path} belongs to another user (uid ${uid}): run this as the user of the server.`)
  },
}

export const disk: Check = {
  name: 'Disk',
  advice: 'Check that the data folder is on a disk that can be reached.',
  run: async ({ dataDir }) => {
    const { bavail, blocks, bsize } = await statfs(await openDataFolder(dataDir))
    const free = bavail * bsize
    const text = `${(free / gigabyte).toFixed(1)} GB free, ${Math.round((100 * bavail) / blocks)} %`
    if (free < gigabyte / 5) return failed(`${text}. Free some space: a full disk stops every write.`)
    if (free < 2 * gigabyte || bavail / blocks < 0.05) return warning(`${text}. Free some space soon.`)
    return ok(text)
  },
}

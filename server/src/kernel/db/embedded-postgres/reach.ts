/** Which folder on the way to a path, if any, an account may not enter. */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Account } from './account.ts'

const enterBit = { owner: 0o100, group: 0o010, others: 0o001 }

export const findClosedFolder = async (account: Account, folder: string): Promise<string | undefined> => {
  const { mode, uid, gid } = await stat(folder)
  const who = uid === account.uid ? 'owner' : gid === account.gid ? 'group' : 'others'
  if ((mode & enterBit[who]) === 0) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : findClosedFolder(account, parent)
}

/**
 * Whose the files of a store are. Root may run a command beside the server of another user, and that server has to read
 * and replace what the command stores.
 */
import { lchown, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Owner {
  uid: number
  gid: number
}

const ownerOnly = 0o700

/** The other user to whom root leaves what it makes in this folder. */
export const ownerOf = async (folder: string): Promise<Owner | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = await stat(folder)
  return uid === 0 ? undefined : { uid, gid }
}

/** Answers whether it wasn't there. The folder around it says whose it becomes. */
export const makeFolder = async (path: string): Promise<boolean> => {
  const created = await mkdir(path, { recursive: true, mode: ownerOnly })
  if (created === undefined) return false
  const owner = await ownerOf(dirname(created))
  for (let made = path; owner && made.length >= created.length; made = dirname(made)) {
    await lchown(made, owner.uid, owner.gid)
  }
  return true
}

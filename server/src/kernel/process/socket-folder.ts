/**
 * Folders for socket files. Their paths have to be short enough for the kernel's limit on socket paths, and only their user
 * can enter them.
 */
import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderProblem } from './data-folder.ts'

const longestPath = process.platform === 'linux' ? 107 : 103

interface SocketFolder {
  dataDir: string
  name: string
  /** As long as the longest name of a socket in it. */
  socket: string
}

/** In the data folder if that path is short enough. */
export const socketFolderOf = ({ dataDir, name, socket }: SocketFolder): string => {
  const folder = join(dataDir, name)
  if (Buffer.byteLength(join(folder, socket)) <= longestPath) return folder
  return temporaryFolderFor(folder)
}

/** Short, and the same for the same folder. */
export const temporaryFolderFor = (folder: string): string =>
  join(tmpdir(), `chancery-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)

/**
 * Empty, and created anew: that rules out that another user made it in a shared temp folder to be told what is said there.
 * The caller holds the instance lock, and has stopped what an earlier start left.
 */
export const makeSocketFolder = async (folder: string): Promise<void> => {
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    throw folderProblem(folder, error)
  }
}

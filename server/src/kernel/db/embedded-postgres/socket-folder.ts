/**
 * The folder of PostgreSQL's socket: only its user can enter it, and it is short enough for the kernel's limit on
 * socket paths.
 */
import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderProblem } from '#kernel/process/data-folder.ts'
import type { Runner } from './runner.ts'

const socketName = '.s.PGSQL.5432'
const longestPath = process.platform === 'linux' ? 107 : 103

export const socketFolderOf = (dataDir: string): string => {
  const folder = join(dataDir, 'run')
  if (Buffer.byteLength(join(folder, socketName)) <= longestPath) return folder
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return join(tmpdir(), `chancery-${name}`)
}

/**
 * Created again for every server. Nothing can still listen here, since we hold the instance lock and left-over servers
 * were stopped. Creating it also rules out that another user made it in a shared temp folder to catch our password.
 */
export const makeSocketFolder = async (folder: string, runner: Runner): Promise<void> => {
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    throw folderProblem(folder, error)
  }
  await runner.giveAway(folder)
}

/** The data folder: created when missing, and checked to be writable before anything depends on it. */
import { constants, existsSync } from 'node:fs'
import { access, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/**
 * Others may pass through but not list it: as root, PostgreSQL runs as another user and has its folder inside.
 * What is secret in here is closed file by file.
 */
const folderMode = 0o711

/** Returns its real path. */
export const openDataFolder = async (dataDir: string): Promise<string> => {
  try {
    await mkdir(dataDir, { recursive: true, mode: folderMode })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(dataDir)
  } catch (error) {
    throw folderProblem(dataDir, error)
  }
}

/** Left by a restore that was killed: the database is empty, but files may be there. */
export const unfinishedRestore = 'restore.unfinished'

export const requireNoUnfinishedRestore = (dataDir: string): void => {
  if (!existsSync(join(dataDir, unfinishedRestore))) return
  throw new StartError(
    `A restore into ${dataDir} didn't end: run chancery restore again, or delete the folder to begin anew.`,
  )
}

const reasons: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EEXIST: 'it is a file, not a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
}

/** Turns a file system error into a sentence; any other error is returned unchanged. */
export const folderProblem = (folder: string, error: unknown): unknown => {
  const reason = error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined
  if (!reason) return error
  return new StartError(`The folder ${folder} cannot be used: ${reason} (SVC_DATA_DIR sets another data folder).`, {
    cause: error,
  })
}

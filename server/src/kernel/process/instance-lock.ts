/**
 * One Chancery per data folder. The lock is something the kernel takes back when the process dies, however it dies,
 * so there is never a stale lock to clean up, and two simultaneous starts cannot both win:
 * on Linux a listening abstract socket, elsewhere a file opened with the exclusive lock flag of BSD and macOS.
 * The name comes from the folder's device and inode, so two paths to one folder are one lock.
 *
 * It sees one machine (on Linux one network namespace): two containers must not mount the same data folder.
 */
import { type FileHandle, stat } from 'node:fs/promises'
import { takeAbstractSocket } from './abstract-socket-lock.ts'
import { openDataFolder } from './data-folder.ts'
import type { InstanceLock, LockAttempt } from './lock-attempt.ts'
import { takeLockedFile } from './locked-file-lock.ts'
import { StartError } from './start-error.ts'

/** Makes the folder when it is missing. */
export const tryInstanceLock = async (dataDir: string): Promise<LockAttempt> => {
  const { dev, ino } = await stat(await openDataFolder(dataDir), { bigint: true })
  return process.platform === 'linux' ? takeAbstractSocket(`chancery-${dev}-${ino}`) : takeLockedFile(dataDir)
}

/** Of one file, for as long as this process writes it. Where there are no abstract sockets, everybody gets it. */
export const tryFileLock = async (file: FileHandle): Promise<LockAttempt> => {
  const { dev, ino } = await file.stat({ bigint: true })
  if (process.platform !== 'linux') return { lock: { release: () => Promise.resolve() } }
  return takeAbstractSocket(`chancery-file-${dev}-${ino}`)
}

/** Throws a `StartError` that names the process already running there. */
export const takeInstanceLock = async (dataDir: string): Promise<InstanceLock> => {
  const attempt = await tryInstanceLock(dataDir)
  if ('lock' in attempt) return attempt.lock
  const holder = attempt.heldBy === undefined ? '' : ` (pid ${attempt.heldBy})`
  throw new StartError(
    `Chancery is already running on this data folder${holder}: stop it first, or set SVC_DATA_DIR to another folder than ${dataDir}.`,
  )
}

/** BSD and macOS: `open` takes the lock atomically; the kernel drops it with the process. The file keeps the pid. */
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { LockAttempt } from './lock-attempt.ts'

/** From `sys/fcntl.h` there; Node has no name for it. */
const O_EXLOCK = 0x20

/** Synchronous on purpose: a plain descriptor is never closed by the garbage collector, a `FileHandle` can be. */
export const takeLockedFile = (dataDir: string): LockAttempt => {
  const path = join(dataDir, 'instance.lock')
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK, 0o600)
    ftruncateSync(file)
    writeSync(file, String(process.pid), 0)
    return { lock: { release: async () => closeSync(file) } }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    const pid = Number(readFileSync(path, 'utf8'))
    return { heldBy: pid > 0 ? pid : undefined }
  }
}

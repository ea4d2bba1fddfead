/**
 * The file that becomes a backup once all of it is on the disk. One process writes it: of what a crash left, the next one
 * begins again, and a second one that is to write the same file is refused.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { tryFileLock } from '#kernel/process/instance-lock.ts'
import { StartError } from '#kernel/process/start-error.ts'
import type { ArchiveKind } from './format.ts'

interface Destination {
  path: string
  kind: ArchiveKind
}

export interface PartialFile {
  file: FileHandle
  /** Puts it in its place. */
  finish(): Promise<void>
  /** Leaves nothing of it, and whatever was in its place before. */
  discard(): Promise<void>
}

export const openPartialFile = async ({ path, kind }: Destination): Promise<PartialFile> => {
  const partial = `${path}.part`
  const { file, lock } = await take(partial, { path, kind }).catch((problem: Error) => {
    if (problem instanceof StartError) throw problem
    throw new StartError(`The ${kind.noun} cannot be written: ${problem.message}.`, { cause: problem })
  })
  const close = async (settle: () => Promise<void>) => {
    await file.close().catch(() => undefined)
    await settle()
    await lock.release()
  }
  return {
    file,
    async finish() {
      await file.sync()
      await close(() => rename(partial, path))
    },
    discard: () => close(() => rm(partial, { force: true })),
  }
}

const take = async (partial: string, { path, kind }: Destination) => {
  const there = await stat(path).catch(() => undefined)
  if (there?.isDirectory())
    throw new StartError(`The ${kind.noun} cannot be written: ${path} is a folder. Name a file.`)
  for (;;) {
    const file = await open(partial, constants.O_WRONLY | constants.O_CREAT, 0o600)
    try {
      const attempt = await tryFileLock(file)
      if ('heldBy' in attempt)
        throw new StartError(
          `Another command${attempt.heldBy === undefined ? '' : ` (pid ${attempt.heldBy})`} is writing ${path}: wait for it, or name another file.`,
        )
      if (await isStill(file, partial)) {
        await empty(file)
        return { file, lock: attempt.lock }
      }
      await attempt.lock.release()
    } catch (problem) {
      await file.close()
      throw problem
    }
    // Whoever wrote it has put it in its place just now.
    await file.close()
  }
}

const isStill = async (file: FileHandle, path: string): Promise<boolean> => {
  const [ours, there] = await Promise.all([file.stat(), stat(path).catch(() => undefined)])
  return there?.ino === ours.ino && there.dev === ours.dev
}

const empty = async (file: FileHandle): Promise<void> => {
  if (!(await file.stat()).isFile()) return
  await file.chmod(0o600)
  await file.truncate()
}

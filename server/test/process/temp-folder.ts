/** Folders for tests. Others may enter them, as PostgreSQL may run as another user; system temp folders are closed. */
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The caller removes it. */
export const makeFolder = async (mode = 0o755): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'chancery-test-')))
  await chmod(folder, mode)
  return folder
}

/** For one test, gone when it ends. */
export const tempFolder = async (mode?: number): Promise<string> => {
  const folder = await makeFolder(mode)
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

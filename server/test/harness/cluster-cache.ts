/**
 * The migrated database files of the last run. Creating them takes 4.7 s of processor time, as much as the rest of a run
 * of one file; and seven tests of processes begin with them too, together 4 % of the whole run. They are reused only if
 * none of their inputs has changed: migrations, locked packages, and the code that creates clusters and queues.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { clusterDirOf } from '#kernel/db/embedded-postgres/cluster.ts'
import { isRunning } from './memory-folder.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const cacheDir = join(root, 'node_modules/.cache/chancery/test-clusters')
const sources = ['server/migrations', 'server/src/kernel/db', 'server/src/kernel/jobs', 'package-lock.json']

const filesIn = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesIn(join(path, name)))
    : [path]

const keyOfSources = (): string => {
  const hash = createHash('sha256').update(`${process.getuid?.()}`)
  for (const file of sources.flatMap((source) => filesIn(join(root, source))))
    hash.update(`\0${file.slice(root.length)}\0`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 24)
}

/** Ownership matters: as root, the files belong to the user that runs PostgreSQL. */
const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', '--reflink=auto', from, to])

/** Also for a test that needs a server of its own, but isn't about its first start. */
export const restoreCluster = async (dataDir: string): Promise<boolean> => {
  const saved = join(cacheDir, keyOfSources())
  if (!existsSync(saved)) return false
  await copy(saved, clusterDirOf(dataDir))
  return true
}

const partialName = 'partial-'

/** Nothing of another run that saves the same at this moment. */
const isStale = (name: string, key: string): boolean =>
  name.startsWith(partialName) ? !isRunning(name.slice(partialName.length)) : name !== key

/** Renamed only once it is complete: an interrupted run leaves nothing that would be reused. */
export const saveCluster = async (dataDir: string): Promise<void> => {
  const key = keyOfSources()
  await mkdir(cacheDir, { recursive: true })
  for (const name of await readdir(cacheDir))
    if (isStale(name, key)) await rm(join(cacheDir, name), { recursive: true, force: true })
  const [partial, saved] = [join(cacheDir, partialName + process.pid), join(cacheDir, key)]
  await copy(clusterDirOf(dataDir), partial)
  await rename(partial, saved).catch(async (problem: unknown) => {
    // Another run was first.
    if (!existsSync(saved)) throw problem
    await rm(partial, { recursive: true, force: true })
  })
}

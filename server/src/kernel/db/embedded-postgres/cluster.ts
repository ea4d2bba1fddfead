/**
 * The database files, in `<data folder>/postgres`. They are created in a temporary folder and renamed when complete, so
 * that a crash in between leaves nothing that looks like a database. The superuser's password is stored with them.
 */
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { StartError } from '#kernel/process/start-error.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { explainFailure } from './failure.ts'
import type { Runner } from './runner.ts'

interface ClusterOptions {
  dataDir: string
  binaries: Binaries
  runner: Runner
  account: Account | undefined
}

interface Cluster {
  dir: string
  /** For PostgreSQL's superuser. The application's role has fewer rights and another password. */
  superuserPassword: string
}

export const superuser = 'postgres'
const passwordFile = 'superuser.password'
const unfinishedPrefix = 'postgres.unfinished-'

export const clusterDirOf = (dataDir: string): string => join(dataDir, 'postgres')

export const openCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const dir = clusterDirOf(options.dataDir)
  await removeUnfinished(options.dataDir)
  const version = (await readVersion(dir)) ?? (await createCluster(options, dir))
  if (version !== options.binaries.major) {
    throw new StartError(
      `The database in ${dir} was made by PostgreSQL ${version} and this Chancery brings ${options.binaries.major}: start it with the Chancery that made it, or move its contents by dump and restore.`,
    )
  }
  await requireOwnership(options, dir)
  return { dir, superuserPassword: await readPassword(dir) }
}

export const readPassword = (dir: string): Promise<string> =>
  readFile(join(dir, passwordFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES')
      throw new StartError(`The database in ${dir} belongs to another user: run this as that user, or as root.`)
    throw new StartError(`The database in ${dir} lacks its file ${passwordFile}: restore it from a backup.`, {
      cause: error,
    })
  })

const readVersion = async (dir: string): Promise<string | undefined> => {
  const version = await readFile(join(dir, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartError(`The database in ${dir} cannot be read (${error.code}): start Chancery as its owner.`)
  })
  return version?.trim()
}

const createCluster = async (options: ClusterOptions, dir: string): Promise<string> => {
  await requireFreePlace(dir)
  const workDir = await mkdtemp(join(options.dataDir, unfinishedPrefix))
  try {
    await rename(await initialize(options, workDir), dir)
    await syncFolder(options.dataDir)
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
  return options.binaries.major
}

/** Returns the folder of the new cluster, its password inside. */
const initialize = async ({ dataDir, binaries, runner }: ClusterOptions, workDir: string): Promise<string> => {
  const password = join(workDir, 'password')
  const fresh = join(workDir, 'cluster')
  await writeFile(password, randomBytes(24).toString('hex'), { mode: 0o600, flush: true })
  await mkdir(fresh, { mode: 0o700 })
  await runner.giveAway(workDir)

  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [`--username=${superuser}`, `--pwfile=${password}`, '--auth=scram-sha-256']
  const initdb = runner.spawn(binaries.initdb, [`--pgdata=${fresh}`, '--data-checksums', ...locale, ...access], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = await outputOf(initdb)
  if (initdb.exitCode !== 0) throw explainFailure({ output, dataDir })
  await rename(password, join(fresh, passwordFile))
  return fresh
}

/** The program's stderr, complete once it has ended. */
const outputOf = async (child: ReturnType<Runner['spawn']>): Promise<string> => {
  const ended = new Promise<void>((resolve, reject) => child.once('error', reject).once('close', () => resolve()))
  child.stdout?.resume()
  const [output] = await Promise.all([child.stderr ? text(child.stderr) : '', ended])
  return output
}

/** An empty folder is allowed: the rename replaces it. */
const requireFreePlace = async (dir: string): Promise<void> => {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : undefined))
  if (names?.length === 0) return
  throw new StartError(`The folder ${dir} holds something that is not a database: move it away.`)
}

/** A rename is durable once the folder that holds the name is. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

/** Left by a start that was killed. If its initdb is still running this may fail; the next start removes it then. */
const removeUnfinished = async (dataDir: string): Promise<void> => {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  }
}

/** Files restored from a backup by root belong to root; PostgreSQL insists on owning them. */
const requireOwnership = async ({ account, runner }: ClusterOptions, dir: string): Promise<void> => {
  const { uid } = await lstat(dir)
  if (uid === (account?.uid ?? process.getuid?.())) return
  if (account) return runner.giveAway(dir)
  throw new StartError(`The database in ${dir} belongs to another user (uid ${uid}): start Chancery as that user.`)
}

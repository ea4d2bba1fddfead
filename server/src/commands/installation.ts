/**
 * The installation that a command works on: the configuration, the data folder and the database that the server itself
 * would have. A command may run beside the server; where none runs, it starts the embedded database for itself.
 */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runningPostgresUrl, settingsFor, startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import { isDatabaseUnavailable } from '#kernel/db/failures.ts'
import { findPooler } from '#kernel/db/pooler/find-pooler.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { takeInstanceLock, tryInstanceLock } from '#kernel/process/instance-lock.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { type Config, readConfig } from '../config/config.ts'

export interface Installation {
  config: Config
  dataDir: string
  /** What commands report goes to `say` and `note`; this is for the parts of the server they use. */
  log: Log
}

export interface WithDatabase extends Installation {
  /** Of PostgreSQL itself, not of a pooler: each connection has a session of its own. */
  databaseUrl: string
}

export const readInstallation = (env: NodeJS.ProcessEnv): Installation => {
  const config = readConfig(env)
  return { config, dataDir: resolve(config.SVC_DATA_DIR), log: createLog('error') }
}

export const withDatabase = <Result>(
  env: NodeJS.ProcessEnv,
  use: (installation: WithDatabase) => Promise<Result>,
): Promise<Result> => withDatabaseOf(readInstallation(env), use)

export const withDatabaseOf = async <Result>(
  installation: Installation,
  use: (installation: WithDatabase) => Promise<Result>,
): Promise<Result> => {
  const { DATABASE_URL: url, DATABASE_URL_DIRECT: directUrl } = installation.config
  if (url === undefined) return withEmbedded(installation, use)
  const { sessionUrl } = await findPooler({ url, directUrl }).catch(unreachable)
  return use({ ...installation, databaseUrl: sessionUrl })
}

const unreachable = (problem: unknown): never => {
  if (problem instanceof StartError) throw problem
  throw new StartError(`The database at DATABASE_URL cannot be reached: ${(problem as Error).message}.`)
}

const withEmbedded = async <Result>(
  installation: Installation,
  use: (installation: WithDatabase) => Promise<Result>,
): Promise<Result> => {
  const { dataDir, config, log } = installation
  if (!existsSync(resolve(dataDir, 'postgres')))
    throw new StartError(
      `There is no database in ${dataDir}: set SVC_DATA_DIR to the data folder of the server, or DATABASE_URL.`,
    )
  const attempt = await tryInstanceLock(dataDir)
  if ('heldBy' in attempt) return useRunning(installation, use)
  try {
    const settings = settingsFor({ servers: 1, poolSize: config.DATABASE_POOL_SIZE })
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings })
    try {
      return await use({ ...installation, databaseUrl: postgres.url })
    } finally {
      await postgres.stop()
    }
  } finally {
    await attempt.lock.release()
  }
}

/**
 * A place for a restore: the database that DATABASE_URL names, or an embedded one, which is made and started. No server may
 * run on the data folder. Where `use` fails, an embedded database that was made for it is gone again.
 */
export const withNewDatabase = async <Result>(
  env: NodeJS.ProcessEnv,
  use: (installation: WithDatabase) => Promise<Result>,
): Promise<Result> => {
  const installation = readInstallation(env)
  const { dataDir, config, log } = installation
  const lock = await takeInstanceLock(dataDir)
  try {
    if (config.DATABASE_URL !== undefined) return await withDatabaseOf(installation, use)
    const folder = resolve(dataDir, 'postgres')
    const wasThere = existsSync(folder)
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    try {
      return await use({ ...installation, databaseUrl: postgres.url })
    } catch (problem) {
      await postgres.stop()
      if (!wasThere) await rm(folder, { recursive: true, force: true })
      throw problem
    } finally {
      await postgres.stop()
    }
  } finally {
    await lock.release()
  }
}

/** Of the server, or of another command. */
const useRunning = async <Result>(
  installation: Installation,
  use: (installation: WithDatabase) => Promise<Result>,
): Promise<Result> => {
  const databaseUrl = await runningPostgresUrl(installation.dataDir)
  try {
    return await use({ ...installation, databaseUrl })
  } catch (problem) {
    const { code, syscall } = problem as NodeJS.ErrnoException
    const isAway = isDatabaseUnavailable(problem) || (code === 'ENOENT' && syscall === 'connect')
    if (!isAway) throw problem
    throw new StartError(`The database of the running server can't be reached: ${(problem as Error).message}.`)
  }
}

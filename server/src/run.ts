/** One run of the server process, from lock to goodbye. */
import { resolve } from 'node:path'
import { loadSecrets } from '#kernel/config/secrets.ts'
import { startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { compactHeapOnceStarted } from '#kernel/process/compact-heap.ts'
import { takeInstanceLock } from '#kernel/process/instance-lock.ts'
import { StartError } from '#kernel/process/start-error.ts'
import type { App, AppOptions } from './app.ts'
import { type Config, readConfig } from './config/config.ts'

type Cleanup = () => Promise<unknown>
type Options = Pick<AppOptions, 'drainMs'>

export const run = async (env: NodeJS.ProcessEnv, options: Options = {}): Promise<void> => {
  /** Started things, to be undone in reverse order, on a clean stop as on a failed start. */
  const cleanups: Cleanup[] = []
  let isStopping = () => false
  try {
    const config = readConfig(env)
    const log = createLog(config.LOG_LEVEL)
    isStopping = stopOnSignal(log, cleanups)
    await start({ config, log, ...options }, cleanups)
  } catch (problem) {
    // The stop has taken the database from a start that was still going on. It ends the process itself.
    if (isStopping()) return
    await undo(cleanups)
    process.stderr.write(problem instanceof StartError ? `\n${problem.message}\n` : `${(problem as Error).stack}\n`)
    process.exit(1)
  }
}

const start = async (given: Options & { config: Config; log: Log }, cleanups: Cleanup[]): Promise<void> => {
  const { config, log } = given
  const dataDir = resolve(config.SVC_DATA_DIR)
  const lock = await takeInstanceLock(dataDir)
  cleanups.push(async () => lock.release())
  const secrets = loadSecrets(dataDir, config)
  // Loading the app takes longer than starting the database, and a wrong configuration is refused without it.
  const loading = import('./app.ts')
  loading.catch(() => undefined)
  const databaseUrl = config.DATABASE_URL ?? (await startDatabase(dataDir, log, cleanups))
  const { startApp } = await loading
  const app = await startApp({ ...given, secrets, databaseUrl, watchesLoop: true }).catch(asStartError(config))
  cleanups.push(app.stop)
  await greet(app, { config, setupKey: secrets.ADMIN_SETUP_KEY })
  compactHeapOnceStarted()
}

const startDatabase = async (dataDir: string, log: Log, cleanups: Cleanup[]): Promise<string> => {
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  cleanups.push(postgres.stop)
  return postgres.url
}

const asStartError =
  (config: Config) =>
  (problem: unknown): never => {
    const { code, message } = problem as { code?: string; message: string }
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${config.PORT} is taken by another program; set PORT to a free one.`)
    if (config.DATABASE_URL !== undefined && (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01'))
      throw new StartError(`The database at DATABASE_URL cannot be reached: ${message}.`)
    throw problem
  }

const greet = async (app: App, { config, setupKey }: { config: Config; setupKey: string }): Promise<void> => {
  const address = app.address.replace(/127\.0\.0\.1|0\.0\.0\.0|\[::1?\]/, 'localhost')
  const lines = ['', `  Chancery is ready at ${address}`]
  if (!(await app.isSetUp()))
    lines.push('', `  First time here? Open ${address}/setup and use the setup key`, `  ${setupKey}`)
  if (config.ENV === 'dev') lines.push(`  API documentation at ${address}/docs`)
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/** Under npm one signal may arrive twice: from the terminal or the service manager, and again from npm. */
const echoMs = 1000

/** The first signal drains; a second one, or another one, does not wait. Answers whether there was one. */
const stopOnSignal = (log: Log, cleanups: Cleanup[]): (() => boolean) => {
  let first: { signal: NodeJS.Signals; atMs: number } | undefined
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (first) {
      if (signal !== first.signal || performance.now() - first.atMs > echoMs) process.exit(130)
      return
    }
    first = { signal, atMs: performance.now() }
    log.info({ signal }, 'stopping')
    const isClean = await undo(cleanups)
    process.exit(isClean ? 0 : 1)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return () => first !== undefined
}

const undo = async (cleanups: Cleanup[]): Promise<boolean> => {
  let isClean = true
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
    try {
      await cleanup()
    } catch (problem) {
      isClean = false
      process.stderr.write(`while stopping: ${(problem as Error).message}\n`)
    }
  }
  return isClean
}

/** One run of Chancery on this machine, from lock to goodbye: the server itself, or the supervisor of several. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadSecrets } from '#kernel/config/secrets.ts'
import { settingsFor, startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { createSupervisor, type Folders, openFolders, type Ready, ServerEnded } from '#kernel/machine/index.ts'
import { compactHeapOnceStarted } from '#kernel/process/compact-heap.ts'
import { openDataFolder, requireNoUnfinishedRestore } from '#kernel/process/data-folder.ts'
import { takeInstanceLock } from '#kernel/process/instance-lock.ts'
import type { AppOptions } from './app.ts'
import { type Config, readConfig } from './config/config.ts'
import { sayWhy, startServer } from './start-server.ts'
import { type Cleanup, stopOnSignal, undo } from './stop.ts'

interface Options extends Pick<AppOptions, 'drainMs'> {
  /** A server that gives its supervisor no sign of life for as long is killed. */
  patienceMs?: number
}

interface Start extends Options {
  config: Config
  log: Log
  cleanups: Cleanup[]
}

interface Prepared extends Pick<AppOptions, 'secrets'> {
  folders: Folders
  databaseUrl: Promise<string>
}

export const run = async (env: NodeJS.ProcessEnv, options: Options = {}): Promise<void> => {
  const cleanups: Cleanup[] = []
  let isStopping = () => false
  try {
    const config = readConfig(env)
    const log = createLog(config.LOG_LEVEL)
    isStopping = stopOnSignal(log, cleanups)
    await start({ ...options, config, log, cleanups })
  } catch (problem) {
    // The stop has taken the database from a start that was still going on. It ends the process itself.
    if (isStopping()) return
    await undo(cleanups)
    // A server that ended by itself has said why.
    if (!(problem instanceof ServerEnded && typeof problem.how === 'number')) sayWhy(problem)
    process.exit(1)
  }
}

const start = async (given: Start): Promise<void> => {
  const { config, log, cleanups } = given
  const dataDir = await openDataFolder(resolve(config.SVC_DATA_DIR))
  const lock = await takeInstanceLock(dataDir)
  cleanups.push(async () => lock.release())
  requireNoUnfinishedRestore(dataDir)
  const folders = await openFolders(dataDir, log)
  const secrets = loadSecrets(dataDir, config)
  const startServers = config.SVC_PROCESSES === 1 ? startAlone : startSeveral
  const ready = await startServers(given, { folders, secrets, databaseUrl: prepareDatabase(given, dataDir) })
  greet(ready, { config, setupKey: secrets.ADMIN_SETUP_KEY })
  compactHeapOnceStarted()
}

/** Its end comes after that of the servers, which use it, though they may have been started before. */
const prepareDatabase = ({ config, log, cleanups }: Start, dataDir: string): Promise<string> => {
  if (config.DATABASE_URL !== undefined) return Promise.resolve(config.DATABASE_URL)
  const settings = settingsFor({ servers: config.SVC_PROCESSES, poolSize: config.DATABASE_POOL_SIZE })
  const starting = startEmbeddedPostgres({ dataDir, log, settings })
  let stop: Cleanup = async () => undefined
  cleanups.push(() => stop())
  return starting.then((postgres) => {
    stop = postgres.stop
    return postgres.url
  })
}

const startAlone = async (given: Start, { secrets, databaseUrl }: Prepared): Promise<Ready> => {
  // Loading the app takes longer than starting the database, and a wrong configuration is refused without it.
  const loading = import('./app.ts')
  loading.catch(() => undefined)
  onHangUp(() => given.log.warn('SIGHUP replaces servers only where SVC_PROCESSES is above 1; restart this one'))
  const app = await startServer(loading, { ...given, secrets, databaseUrl: await databaseUrl })
  given.cleanups.push(app.stop)
  return { address: app.address, isSetUp: await app.isSetUp() }
}

const startSeveral = async (given: Start, prepared: Prepared): Promise<Ready> => {
  const { config, log, cleanups, patienceMs } = given
  const program = fileURLToPath(new URL('./serve.ts', import.meta.url))
  const { SVC_PROCESSES: count, PORT: port, HOST: host } = config
  const supervisor = createSupervisor({ ...prepared, program, count, port, host, log, patienceMs })
  cleanups.push(supervisor.stop)
  onHangUp(() => void supervisor.roll())
  const [ready] = await Promise.all([supervisor.start(), prepared.databaseUrl])
  return ready
}

/** Where it was started in a terminal, SIGHUP is the terminal's end. */
const onHangUp = (reload: () => void): void => {
  process.on('SIGHUP', () => {
    if (process.stdout.isTTY) process.kill(process.pid, 'SIGTERM')
    else reload()
  })
}

const greet = (ready: Ready, { config, setupKey }: { config: Config; setupKey: string }): void => {
  const address = ready.address.replace(/127\.0\.0\.1|0\.0\.0\.0|\[::1?\]/, 'localhost')
  const lines = ['', `  Chancery is ready at ${address}`]
  if (!ready.isSetUp) lines.push('', `  First time here? Open ${address}/setup and use the setup key`, `  ${setupKey}`)
  if (config.ENV === 'dev') lines.push(`  API documentation at ${address}/docs`)
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

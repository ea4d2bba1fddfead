/** The life of one of several servers, from its orders to its end. */
import { createLog } from '#kernel/log.ts'
import { joinMachine } from '#kernel/machine/index.ts'
import { compactHeapOnceStarted } from '#kernel/process/compact-heap.ts'
import type { App } from './app.ts'
import { readConfig } from './config/config.ts'
import { sayWhy, startServer } from './start-server.ts'

export const serve = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const { orders, siblings, onStop, sayReady } = joinMachine()
  let app: App | undefined
  let isStopping = false
  const stop = async (how: { isReplaced: boolean }): Promise<void> => {
    if (isStopping) return
    isStopping = true
    const problem = await app?.stop(how).catch((reason: Error) => reason)
    if (problem) process.stderr.write(`while stopping: ${problem.message}\n`)
    process.exit(problem ? 1 : 0)
  }
  onStop(stop)
  // A terminal or a service manager signals every process; the supervisor tells all of them as well.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop({ isReplaced: false }))
  process.on('SIGHUP', () => undefined)
  try {
    const loading = import('./app.ts')
    loading.catch(() => undefined)
    const { port, folder, secrets, databaseUrl, ...place } = await orders
    const config = { ...readConfig(env), PORT: port }
    const log = createLog(config.LOG_LEVEL)
    app = await startServer(loading, {
      config,
      log,
      secrets,
      databaseUrl,
      machine: { ...place, siblings: { ...siblings, folder } },
    })
    sayReady({ address: app.address, isSetUp: await app.isSetUp() })
    compactHeapOnceStarted()
  } catch (problem) {
    // The stop has taken the database from a start that was still going on. It ends the process itself.
    if (isStopping) return
    sayWhy(problem)
    process.exit(1)
  }
}

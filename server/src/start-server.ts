/** Starts the app in this process, and says in a sentence why that failed where the operator can mend it. */
import { isDatabaseUnavailable } from '#kernel/db/failures.ts'
import { StartError } from '#kernel/process/start-error.ts'
import type { App, AppOptions } from './app.ts'
import type { Config } from './config/config.ts'

/** `app` is the module, which takes longer to load than the database to start. */
export const startServer = async (app: Promise<typeof import('./app.ts')>, options: AppOptions): Promise<App> => {
  const { startApp } = await app
  return startApp({ ...options, watchesLoop: true }).catch(asStartError(options.config))
}

const asStartError =
  (config: Config) =>
  (problem: unknown): never => {
    const { code, message } = problem as { code?: string; message: string }
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${config.PORT} is taken by another program; set PORT to a free one.`)
    if (config.DATABASE_URL !== undefined && (isDatabaseUnavailable(problem) || isWrongAddress(code)))
      throw new StartError(`The database at DATABASE_URL cannot be reached: ${message}.`)
    throw problem
  }

/** No such host, user, password or database. */
const isWrongAddress = (code = ''): boolean => ['ENOTFOUND', 'EAI_AGAIN', '28P01', '28000', '3D000'].includes(code)

export const sayWhy = (problem: unknown): void => {
  process.stderr.write(problem instanceof StartError ? `\n${problem.message}\n` : `${(problem as Error).stack}\n`)
}

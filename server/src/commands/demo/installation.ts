/**
 * The demo on an installation. The command is one more server of it for a while, on a port of its own: what it does, it
 * does through the API, and it works on jobs and runs like the others.
 */
import { loadSecrets } from '#kernel/config/secrets.ts'
import type { App } from '../../app.ts'
import type { Call } from '../command.ts'
import { withDatabase } from '../installation.ts'

type Told = Pick<Call, 'env' | 'say' | 'note'>

/** Few connections beside those of the server. */
const poolSize = 4

const withApp = <Result>(env: NodeJS.ProcessEnv, use: (app: App) => Promise<Result>): Promise<Result> =>
  withDatabase(env, async ({ config, dataDir, databaseUrl, log }) => {
    const { startApp } = await import('../../app.ts')
    const app = await startApp({
      config: {
        ...config,
        PORT: 0,
        HOST: '127.0.0.1',
        SVC_ROLE: 'all',
        SVC_DRAIN_DELAY: 0,
        DATABASE_POOL_SIZE: poolSize,
      },
      secrets: loadSecrets(dataDir, config),
      databaseUrl,
      log,
    })
    try {
      return await use(app)
    } finally {
      await app.stop()
    }
  })

export const fillInstallation = ({ env, say, note }: Told): Promise<void> =>
  withApp(env, async (app) => {
    const { company, password, people } = await app.demo.fill({ address: app.address, note })
    const width = Math.max(...people.map(({ email }) => email.length)) + 2
    say(`${company} is here. Everybody signs in with the password ${password}`)
    say('')
    for (const { name, email, isAdmin } of people) say(`  ${email.padEnd(width)}${name}${isAdmin ? ', admin' : ''}`)
    say('')
    say('Begin with the first one. To remove all of it: chancery demo --remove')
  })

export const clearInstallation = ({ env, say }: Told): Promise<void> =>
  withApp(env, async (app) => {
    await app.demo.remove(app.address)
    say('The demo is removed.')
  })

/** The composition root: the kernel first, then the modules, floor by floor. */
import { fileURLToPath } from 'node:url'
import { type Clock, systemClock } from '#kernel/clock.ts'
import type { Config } from '#kernel/config/config.ts'
import type { Secrets } from '#kernel/config/secrets.ts'
import { createKernel } from '#kernel/create-kernel.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Route } from '#kernel/http/route.ts'
import { createHttpServer } from '#kernel/http/server.ts'
import { type Ids, systemIds } from '#kernel/ids.ts'
import type { Module } from '#kernel/kernel.ts'
import type { Log } from '#kernel/log.ts'
import { createAccounts } from '#modules/accounts/index.ts'
import { createLdap } from '#modules/ldap/index.ts'
import { createMonitoring } from '#modules/monitoring/index.ts'
import { createOauth, type WellKnown } from '#modules/oauth/index.ts'
import { createOrganizations } from '#modules/organizations/index.ts'
import { createPlatformAdmin } from '#modules/platform-admin/index.ts'
import { createSettings } from '#modules/settings/index.ts'
import { createSso } from '#modules/sso/index.ts'

export interface AppOptions {
  config: Config
  secrets: Secrets
  databaseUrl: string
  log: Log
  clock?: Clock
  ids?: Ids
  /** How hard a password hash is to make; tests make it cheap. */
  passwordCost?: number
  /** Whether every reply is held against its schema; tests do, development does. */
  checksReplies?: boolean
  /** Where Google and Microsoft are; tests put others in their place. */
  oauthPlaces?: WellKnown
}

export interface App {
  /** Where it listens. */
  address: string
  /** All declared routes: tests walk them. */
  routes: readonly Route[]
  db: Db
  isSetUp(): Promise<boolean>
  /** Stops taking requests, lets running ones and jobs finish, closes everything. */
  stop(): Promise<void>
}

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export const startApp = async (options: AppOptions): Promise<App> => {
  const given = { clock: systemClock, ids: systemIds, passwordCost: 12, checksReplies: false, ...options }
  const { kernel, start, stop } = await createKernel({ ...given, migrationsDir: folder('../migrations') })
  const { config, db, ids, limits, log } = kernel
  const stopping = new AbortController()

  const settings = await createSettings(kernel)
  const accounts = createAccounts(kernel)
  const organizations = createOrganizations(accounts)
  const platformAdmin = createPlatformAdmin(accounts, organizations)
  const oauth = createOauth({ accounts, settings, places: options.oauthPlaces })
  const ldap = createLdap(accounts, organizations)
  const sso = createSso(accounts, organizations)
  const monitoring = createMonitoring({
    db,
    isServing: () => !stopping.signal.aborted,
    probes: [{ name: 'limits', isWell: limits.ping }],
  })
  const modules: Module[] = [settings, accounts, organizations, platformAdmin, oauth, ldap, sso, monitoring]

  const routes = modules.flatMap((module) => module.routes)
  const server = await createHttpServer({
    ...{ config, log, ids, limits, routes },
    authenticate: accounts.authenticate,
    webDir: folder('../../web/dist'),
    externalUrl: config.SVC_URL,
    checksReplies: given.checksReplies,
  })
  const [address] = await Promise.all([
    server.listen({ port: config.PORT, host: config.HOST }),
    start(modules.flatMap((module) => module.jobs ?? [])),
  ])
  for (const module of modules) module.start?.(stopping.signal)

  return {
    ...{ address, routes, db },
    isSetUp: () => platformAdmin.isSetUp(db),
    stop: async () => {
      stopping.abort()
      await server.close()
      await stop(async () => {
        for (const module of modules) await module.stop?.()
      })
    },
  }
}

/** Company login: people sign in at their company's identity provider, and are provisioned there. The module's interface. */
import './tables.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import { createBegunLogins, createOidcClients } from '#kernel/oidc/index.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { SsoConfig } from './config.ts'
import type { SsoContext } from './context.ts'
import { createDirectoryApi, type DirectoryApi } from './directory/api.ts'
import { createDirectoryCalls } from './directory/calls.ts'
import { ssoLoginMethod } from './login-method.ts'
import { createProvisioner } from './provision-member.ts'
import { createRequestPush, pushMemberJob, pushOnChange } from './push-member.ts'
import { loginRoutes } from './routes/login.ts'
import { syncRoutes } from './routes/sync.ts'
import type { SsoSettings } from './settings.ts'
import { sweepJob, syncAllJob, syncJob } from './sync/sync-jobs.ts'

export { readSettings as readSsoSettings } from './settings.ts'

export interface SsoNeeds {
  kernel: Kernel<SsoConfig>
  accounts: Accounts
  organizations: Organizations
  /** Undefined where company login is not configured. */
  settings: SsoSettings | undefined
}

export const createSso = ({ kernel, accounts, organizations, settings }: SsoNeeds): Module => {
  if (!settings) return { routes: [...loginRoutes({ kernel, accounts }, undefined), ...syncRoutes(kernel, undefined)] }

  const context = createContext({ kernel, accounts, organizations }, settings)
  accounts.registerLoginMethod(ssoLoginMethod(context))
  const login = loginRoutes({ kernel, accounts }, context)
  const { directory } = context
  if (!directory) return { routes: [...login, ...syncRoutes(kernel, undefined)], jobs: [sweepJob(context)] }
  return withDirectory(context, directory, { organizations, login })
}

const createContext = (
  { kernel, accounts, organizations }: Omit<SsoNeeds, 'settings'>,
  settings: SsoSettings,
): SsoContext => {
  const { outbound, clock, log, sealer } = kernel
  const { issuer, clientId, clientSecret, admin } = settings
  const calls = admin && createDirectoryCalls({ outbound, clock }, { issuer, ...admin })
  return {
    ...kernel,
    accounts,
    organizations,
    settings,
    oidc: createOidcClients({ outbound, log, clock }).create({ issuer, clientId, clientSecret }),
    begunLogins: createBegunLogins({
      sealer,
      clock,
      purpose: 'sso:begun login',
      // With this prefix the browser guarantees that no other site or path set it; it works on secure cookies only.
      cookiePrefix: settings.isSecure ? '__Host-sso_tx_' : 'sso_tx_',
      flags: { secure: settings.isSecure, sameSite: 'lax' },
    }),
    directory: calls && createDirectoryApi(calls, { clientId }),
    requestPush: async () => undefined,
  }
}

interface Rest {
  organizations: Organizations
  login: Module['routes']
}

/** With a service account: people are provisioned, changes pushed, and the directory read in turns. */
const withDirectory = (context: SsoContext, directory: DirectoryApi, { organizations, login }: Rest): Module => {
  const { db, jobs, settings, tasks } = context
  const push = pushMemberJob(context, directory)
  const sync = syncJob(context, directory)
  const syncAll = syncAllJob(context, directory, sync)
  context.requestPush = createRequestPush(context, push)
  organizations.registerProvisioner(createProvisioner(context, directory))
  organizations.onChange(pushOnChange(context))
  return {
    routes: [...login, ...syncRoutes(context, { context, job: sync })],
    jobs: [push, sync, syncAll, sweepJob(context)],
    start: (signal) =>
      tasks.every('sso.sync', { everyMs: settings.syncEveryMs, signal }, () =>
        jobs.enqueue(db, syncAll, {}, { singletonKey: 'all' }),
      ),
  }
}

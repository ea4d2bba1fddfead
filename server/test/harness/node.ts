/** Another node on an app's database: the kernel and the first two modules, which a test can call directly. */
import { fileURLToPath } from 'node:url'
import { readConfig } from '#config'
import { createKernel } from '#kernel/create-kernel.ts'
import { systemIds } from '#kernel/ids.ts'
import type { Module } from '#kernel/kernel.ts'
import { createLog } from '#kernel/log.ts'
import { createAccounts } from '#modules/accounts/index.ts'
import { createFindLoginPolicy, createOrganizations } from '#modules/organizations/index.ts'
import type { TestApp } from './app.ts'
import { testSecrets } from './secrets.ts'

export const createNode = async (app: TestApp, env: Record<string, string> = {}) => {
  const { kernel, start, stop } = await createKernel({
    config: readConfig({ LOG_LEVEL: 'silent', ...env }),
    secrets: testSecrets,
    log: createLog('silent'),
    databaseUrl: app.databaseUrl,
    clock: app.clock,
    ids: systemIds,
    passwordCost: 4,
    migrationsDir: fileURLToPath(new URL('../../migrations', import.meta.url)),
  })
  const accounts = createAccounts({ kernel, findLoginPolicy: createFindLoginPolicy(kernel) })
  const organizations = createOrganizations({ kernel, accounts })
  const stopping = new AbortController()
  return {
    kernel,
    accounts,
    organizations,
    start: async (module: Module): Promise<void> => {
      await start([])
      module.start?.(stopping.signal)
    },
    /** `close` is what must be closed between the announcement and the end, such as a server. */
    stop: async (module: Module, close: () => Promise<unknown> = async () => {}): Promise<void> => {
      stopping.abort()
      await close()
      await stop(async () => module.stop?.())
    },
  }
}

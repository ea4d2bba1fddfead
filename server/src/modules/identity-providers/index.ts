/** Identity providers of single organizations: set up by their administrators. The module's public interface. */
import './tables.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import { createBegunLogins } from '#kernel/oidc/index.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import { createClients } from './clients.ts'
import type { ProvidersContext } from './context.ts'
import { ownLoginMethod } from './login-method.ts'
import { hasWorkingProviderUnscoped } from './queries.ts'
import { loginRoutes } from './routes/login.ts'
import { manageRoutes } from './routes/manage.ts'

interface Needs {
  kernel: Kernel
  accounts: Accounts
  organizations: Organizations
  /** The instance has a company login beside these. */
  isSsoAvailable: boolean
}

export const createIdentityProviders = ({ kernel, accounts, organizations, isSsoAvailable }: Needs): Module => {
  const { clock, externalUrl, sealer } = kernel
  const isSecure = new URL(externalUrl).protocol === 'https:'
  const context: ProvidersContext = {
    ...kernel,
    accounts,
    organizations,
    isSsoAvailable,
    ...createClients(kernel),
    begunLogins: createBegunLogins({
      sealer,
      clock,
      purpose: 'identity providers:begun login',
      // With this prefix the browser guarantees that no other site or path set it; it works on secure cookies only.
      cookiePrefix: isSecure ? '__Host-own_tx_' : 'own_tx_',
      flags: { secure: isSecure, sameSite: 'lax' },
    }),
  }
  organizations.registerOwnSignIn(hasWorkingProviderUnscoped)
  accounts.registerLoginMethod(ownLoginMethod(context))
  return { routes: [...manageRoutes(context), ...loginRoutes(context)] }
}

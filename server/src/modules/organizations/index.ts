/** Organizations: companies, their plan, their people. The public face of the module. */
import './tables.ts'
import type { Module } from '#kernel/kernel.ts'
import type { Accounts, CompanyFounder } from '#modules/accounts/index.ts'
import { foundCompany } from './found-company.ts'
import { organizationRoutes } from './routes.ts'

export { presentForConsole } from './present.ts'
export { findOrganizationUnscoped, listOrganizationsUnscoped } from './queries.ts'

export const createOrganizations = (accounts: Accounts): Module => {
  const found: CompanyFounder = (request, from) => foundCompany(accounts.context, request, from)
  accounts.registerCompanyFounder(found)
  return { routes: organizationRoutes(accounts.context, found) }
}

/** The viewer's organization, and the identity provider that its people sign in with. */
import * as logins from '@chancery/contract/endpoints/logins.ts'
import * as endpoints from '@chancery/contract/endpoints/organizations.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

export const loadOrganization = () => call(endpoints.getOrganization)
const loadCompanyLogin = () => call(logins.getCompanyLogin)

export const organizationQuery = queryOptions({ queryKey: ['organization'], queryFn: loadOrganization })

/** Tells if this instance has an identity provider at all. */
export const companyLoginQuery = queryOptions({ queryKey: ['company-login'], queryFn: loadCompanyLogin })

export const companySignOutUrl = addressOf(logins.leaveCompanyLogin)

/** True if the session came from the company's identity provider, which must then be told about the sign-out. */
export async function signsOutElsewhere(): Promise<boolean> {
  const [organization, companyLogin] = await Promise.all([loadOrganization(), loadCompanyLogin()])
  return organization.authProvider === 'SSO' && companyLogin.enabled
}

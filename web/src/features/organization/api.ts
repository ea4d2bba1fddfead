/** The viewer's organization, and how its people sign in. */

import * as loginsEndpoints from '@chancery/contract/endpoints/logins.ts'
import * as organizationsEndpoints from '@chancery/contract/endpoints/organizations.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'

const key = ['organization']
const load = () => call(organizationsEndpoints.getOrganization)
const loadCompanyLogin = () => call(loginsEndpoints.getCompanyLogin)

export const useOrganization = () => useQuery({ queryKey: key, queryFn: load })

/** Whether this instance has an identity provider at all. */
export const useCompanyLogin = () => useQuery({ queryKey: ['company-login'], queryFn: loadCompanyLogin })

export function useSaveOrganization() {
  const queryClient = useQueryClient()
  return async (patch: unknown) => {
    queryClient.setQueryData(key, await call(organizationsEndpoints.changeOrganization, { body: unchecked(patch) }))
  }
}

/** True if the session came from the company's identity provider, which must then be told about the sign-out. */
export async function signsOutElsewhere(): Promise<boolean> {
  const [organization, companyLogin] = await Promise.all([load(), loadCompanyLogin()])
  return organization.authProvider === 'SSO' && companyLogin.enabled
}

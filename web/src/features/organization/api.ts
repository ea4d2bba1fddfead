/** The viewer's organization, and how its people sign in. */
import { Organization } from '@chancery/contract/organizations.ts'
import { SsoConfig } from '@chancery/contract/sso.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'

const key = ['organization']
const load = () => api.get('/api/org/me', Organization)
const loadCompanyLogin = () => api.get('/sso/config', SsoConfig)

export const useOrganization = () => useQuery({ queryKey: key, queryFn: load })

/** Whether this instance has an identity provider at all. */
export const useCompanyLogin = () => useQuery({ queryKey: ['company-login'], queryFn: loadCompanyLogin })

export function useSaveOrganization() {
  const queryClient = useQueryClient()
  return async (patch: unknown) => {
    queryClient.setQueryData(key, await api.patch('/api/org/settings', patch, Organization))
  }
}

/** True if the session came from the company's identity provider, which must then be told about the sign-out. */
export async function signsOutElsewhere(): Promise<boolean> {
  const [organization, companyLogin] = await Promise.all([load(), loadCompanyLogin()])
  return organization.authProvider === 'SSO' && companyLogin.enabled
}

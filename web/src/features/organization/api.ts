/** The viewer's organization, and how its people sign in. */
import * as endpoints from '@chancery/contract/endpoints/organizations.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { companyLoginQuery, organizationQuery } from '#data/organization.ts'
import { call, unchecked } from '#lib/http/call.ts'

export const useOrganization = () => useQuery(organizationQuery)
export const useCompanyLogin = () => useQuery(companyLoginQuery)

/** As a page of a list, which its table expects. */
export const useQuotas = () =>
  useQuery({
    queryKey: ['organization', 'quotas'],
    queryFn: async () => {
      const { items } = await call(endpoints.listQuotas)
      return { items, total: items.length }
    },
  })

export function useSaveOrganization() {
  const queryClient = useQueryClient()
  return async (patch: unknown) => {
    queryClient.setQueryData(
      organizationQuery.queryKey,
      await call(endpoints.changeOrganization, { body: unchecked(patch) }),
    )
  }
}

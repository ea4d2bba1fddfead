/** The viewer's organization, and how its people sign in. */
import * as endpoints from '@chancery/contract/endpoints/organizations.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { companyLoginQuery, organizationQuery } from '#data/organization.ts'
import { call, unchecked } from '#lib/http/call.ts'

export const useOrganization = () => useQuery(organizationQuery)
export const useCompanyLogin = () => useQuery(companyLoginQuery)

export function useSaveOrganization() {
  const queryClient = useQueryClient()
  return async (patch: unknown) => {
    queryClient.setQueryData(
      organizationQuery.queryKey,
      await call(endpoints.changeOrganization, { body: unchecked(patch) }),
    )
  }
}

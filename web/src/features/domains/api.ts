/** The organization's email domains. */

import * as endpoints from '@chancery/contract/endpoints/organizations.ts'
import type { Domain } from '@chancery/contract/organizations/domains.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

const key = ['domains']

export const useDomains = () => useQuery({ queryKey: key, queryFn: () => call(endpoints.listDomains) })

export function useAddDomain() {
  const queryClient = useQueryClient()
  return async (body: unknown) => {
    await call(endpoints.addDomain, { body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey: key })
  }
}

export function useVerifyDomain() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ domain }: Domain) => call(endpoints.verifyDomain, { params: { domain } }),
    onSuccess: ({ domain }) => toast.done(`Verified ${domain}`),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  })
}

export function useRemoveDomain(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ domain }: Domain) => call(endpoints.removeDomain, { params: { domain } }),
    onSuccess: (_, { domain }) => toast.done(`Removed ${domain}`),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: key })
    },
  })
}

/** The organization's email domains. */
import { Domain, DomainList } from '@chancery/contract/domains.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { toast } from '#ui/feedback/toast.ts'

const path = '/api/org/domains'
const key = ['domains']
const pathOf = (domain: string) => `${path}/${encodeURIComponent(domain)}`

export const useDomains = () => useQuery({ queryKey: key, queryFn: () => api.get(path, DomainList) })

export function useAddDomain() {
  const queryClient = useQueryClient()
  return async (body: unknown) => {
    await api.post(path, body, Domain)
    await queryClient.invalidateQueries({ queryKey: key })
  }
}

export function useVerifyDomain() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ domain }: Domain) => api.post(`${pathOf(domain)}/verify`, {}, Domain),
    onSuccess: ({ domain }) => toast.done(`Verified ${domain}`),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  })
}

export function useRemoveDomain(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ domain }: Domain) => api.tell('DELETE', pathOf(domain)),
    onSuccess: (_, { domain }) => toast.done(`Removed ${domain}`),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: key })
    },
  })
}

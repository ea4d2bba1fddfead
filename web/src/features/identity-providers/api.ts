/** The organization's own identity providers. */
import * as endpoints from '@chancery/contract/endpoints/logins.ts'
import type { IdentityProvider } from '@chancery/contract/organizations/identity-providers.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

const key = ['identity-providers']

export const useProviders = () => useQuery({ queryKey: key, queryFn: () => call(endpoints.listIdentityProviders) })

/** Creates one, or changes the one with this ID. */
export function useSaveProvider(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<IdentityProvider> => {
    const saved =
      id === undefined
        ? await call(endpoints.createIdentityProvider, { body: unchecked(body) })
        : await call(endpoints.changeIdentityProvider, { params: { id }, body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey: key })
    return saved
  }
}

export function useRemoveProvider(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: IdentityProvider) => call(endpoints.removeIdentityProvider, { params: { id } }),
    onSuccess: (_, { name }) => toast.done(`Removed ${name}`),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: key })
    },
  })
}

export const useTestProvider = () =>
  useMutation({
    mutationFn: ({ id }: IdentityProvider) => call(endpoints.testIdentityProvider, { params: { id } }),
  })

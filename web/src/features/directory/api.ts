/** The organization's own LDAP directory. */
import * as endpoints from '@chancery/contract/endpoints/logins.ts'
import type { LdapSettings } from '@chancery/contract/organizations/ldap.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { toast } from '#ui/feedback/toast.ts'

const key = ['directory']

/** Null if none is connected, which isn't an error. */
async function load(): Promise<LdapSettings | null> {
  try {
    return await call(endpoints.getLdap)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ldap_not_configured') return null
    throw error
  }
}

export const useDirectory = () => useQuery({ queryKey: key, queryFn: load })

export function useSaveDirectory() {
  const queryClient = useQueryClient()
  return async (body: unknown) => {
    queryClient.setQueryData(key, await call(endpoints.setLdap, { body: unchecked(body) }))
  }
}

export function useForgetDirectory(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(endpoints.removeLdap),
    onSuccess: () => toast.done('Directory disconnected'),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: key })
    },
  })
}

/** Without settings, the saved ones are tested. */
export const useTestDirectory = () =>
  useMutation({
    mutationFn: (body: { settings?: unknown; login?: string }) => call(endpoints.testLdap, { body: unchecked(body) }),
  })

/** The organization's own LDAP directory. */
import { LdapSettings, LdapTestResult } from '@chancery/contract/ldap.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { toast } from '#ui/feedback/toast.ts'

const key = ['directory']
const path = '/api/org/ldap'

/** Null if none is connected, which isn't an error. */
async function load(): Promise<LdapSettings | null> {
  try {
    return await api.get(path, LdapSettings)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ldap_not_configured') return null
    throw error
  }
}

export const useDirectory = () => useQuery({ queryKey: key, queryFn: load })

export function useSaveDirectory() {
  const queryClient = useQueryClient()
  return async (body: unknown) => {
    queryClient.setQueryData(key, await api.put(path, body, LdapSettings))
  }
}

export function useForgetDirectory(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.tell('DELETE', path),
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
    mutationFn: (body: { settings?: unknown; login?: string }) => api.post(`${path}/test`, body, LdapTestResult),
  })

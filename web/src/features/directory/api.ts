/** The organization's own LDAP directory. */
import { LdapSettings, LdapTestResult } from '@chancery/contract/ldap.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/api.ts'
import { toast } from '#ui/toast.tsx'

const key = ['directory']
const path = '/api/org/ldap'

/** Null if none is connected. */
export const useDirectory = () => useQuery({ queryKey: key, queryFn: () => api.get(path, LdapSettings.nullable()) })

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

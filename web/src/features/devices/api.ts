/** Devices without a browser that want to sign in as the viewer. */
import * as endpoints from '@chancery/contract/endpoints/accounts.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

export const useDeviceQuestion = (code: string) =>
  useQuery({
    queryKey: ['device', code],
    queryFn: () => call(endpoints.getDeviceQuestion, { query: { user_code: code } }),
    retry: false,
  })

export const useDecision = (code: string) =>
  useMutation({
    mutationFn: async (allowed: boolean) => {
      await call(endpoints.decideDevice, { body: { user_code: code, allowed } })
      return allowed
    },
  })

/** Other sign-in providers of this instance, such as Google. */
import * as entrance from '@chancery/contract/endpoints/entrance.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'
import { providerList } from './provider-list.ts'

export const loginProvidersQuery = queryOptions({
  queryKey: ['login-providers'],
  queryFn: () => call({ ...entrance.listProviders, reply: async () => providerList }),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** Server state: how long it is fresh, when to retry, and what to do when the session has expired or isn’t enough. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isAway, isSignedOut, lacksFactor } from '#lib/problems/api-error.ts'

const retries = 2

interface Exits {
  onSignedOut: () => void
  onFactorNeeded: () => void
}

export function createQueryClient({ onSignedOut, onFactorNeeded }: Exits): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut()
    if (lacksFactor(error)) onFactorNeeded()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 15_000, retry: (count, error) => count < retries && isAway(error) },
      mutations: { retry: false },
    },
  })
}

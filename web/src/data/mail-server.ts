/** Whether the server can send email. Without one, mails stay in the platform admin's outbox. */
import { useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

/** Undefined until known, and if it can't be found out. */
export const useHasMailServer = (): boolean | undefined =>
  useQuery({
    queryKey: ['mail-server'],
    queryFn: () => call(async () => (await import('@chancery/contract/endpoints/accounts.ts')).getMailFacts),
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.configured

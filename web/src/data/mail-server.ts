/** Whether the server can send email. Without one, mails stay in the platform admin's outbox. */
import { useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'

/** Undefined until known, and if it can't be found out. */
export const useHasMailServer = (): boolean | undefined =>
  useQuery({
    queryKey: ['mail-server'],
    queryFn: () =>
      api.get('/api/auth/mail', async () => (await import('@chancery/contract/accounts/accounts.ts')).MailFacts),
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.configured

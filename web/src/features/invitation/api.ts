/** An invitation, read and accepted. Schemas are loaded with the first call, as on every page before sign-in. */
import { useQuery } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

const teamSchemas = () => import('@chancery/contract/team.ts')

export const acceptShape = async () => (await teamSchemas()).AcceptInviteBody

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['invitation', token],
    queryFn: () =>
      api.get(`/api/auth/invite/${encodeURIComponent(token)}`, async () => (await teamSchemas()).InvitationFacts),
    // The facts do not change under the reader's hands, and once accepted the link answers no more.
    staleTime: Number.POSITIVE_INFINITY,
  })

export const acceptInvitation = (body: unknown) =>
  api.post('/api/auth/accept-invite', body, async () => (await import('@chancery/contract/accounts.ts')).SignedIn)

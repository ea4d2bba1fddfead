/** Reads and accepts an invitation. Schemas load with the first call, as on every page before sign-in. */
import { useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'

const teamSchemas = () => import('@chancery/contract/organizations/team.ts')

export const acceptShape = async () => (await teamSchemas()).AcceptInviteBody

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['invitation', token],
    queryFn: () =>
      api.get(`/api/auth/invite/${encodeURIComponent(token)}`, async () => (await teamSchemas()).InvitationFacts),
    // Never refetched: the details don't change, and once accepted the link no longer works.
    staleTime: Number.POSITIVE_INFINITY,
  })

export const acceptInvitation = (body: unknown) =>
  api.post(
    '/api/auth/accept-invite',
    body,
    async () => (await import('@chancery/contract/accounts/accounts.ts')).SignedIn,
  )

/** Reads and accepts an invitation. Schemas load with the first call, as on every page before sign-in. */
import { useQuery } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'

const endpoints = () => import('@chancery/contract/endpoints/organizations.ts')

export const acceptShape = async () => (await import('@chancery/contract/organizations/team.ts')).AcceptInviteBody

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call(async () => (await endpoints()).getInvitation, { params: { token } }),
    // Never refetched: the details don't change, and once accepted the link no longer works.
    staleTime: Number.POSITIVE_INFINITY,
  })

export const acceptInvitation = (body: unknown) =>
  call(async () => (await endpoints()).acceptInvitation, { body: unchecked(body) })

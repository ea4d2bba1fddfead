/** Members of the organization and pending invitations. */
import * as endpoints from '@chancery/contract/endpoints/organizations.ts'
import type { Invitation, Member } from '@chancery/contract/organizations/team.ts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { organizationQuery } from '#data/organization.ts'
import { teamKey } from '#data/people.ts'
import { viewerQuery } from '#data/viewer.ts'
import { call, unchecked } from '#lib/http/call.ts'

const key = teamKey

export const pageLimit = 25

export type FactorFilter = 'some' | 'none'

export interface MemberSearch {
  page?: number | undefined
  search?: string | undefined
  sort?: string | undefined
  /** Only those with a second factor, or only those without. */
  factors?: FactorFilter | undefined
}

export function useMembers({ page = 1, search, sort, factors }: MemberSearch) {
  const query = { page, limit: pageLimit, search, sort, factors, show: 'members' }
  return useQuery({
    queryKey: [...key, 'members', query],
    queryFn: async () => {
      const { members, totals } = await call(endpoints.listTeam, { query })
      return { items: members, total: totals.members }
    },
    placeholderData: keepPreviousData,
  })
}

export function useInvitations(page: number) {
  const query = { page, limit: pageLimit, show: 'invitations' }
  return useQuery({
    queryKey: [...key, 'invitations', query],
    queryFn: async () => {
      const { invitations, totals } = await call(endpoints.listTeam, { query })
      return { items: invitations, total: totals.invitations }
    },
    placeholderData: keepPreviousData,
  })
}

/** Seats are counted with the organization, and admins may change their own role, so everything is refetched. */
export function useRefreshTeam() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [key, organizationQuery.queryKey, viewerQuery.queryKey].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
}

type MemberChange = 'promote' | 'demote' | 'deactivate' | 'reactivate'

export const sendChange = ({ id }: Member, change: MemberChange): Promise<Member> => {
  const params = { userId: id }
  if (change === 'deactivate') return call(endpoints.deactivateMember, { params })
  if (change === 'reactivate') return call(endpoints.reactivateMember, { params })
  return call(endpoints.changeRole, {
    params,
    body: { role: change === 'promote' ? 'ROLE_ORG_ADMIN' : 'ROLE_USER' },
  })
}

export const resetFactors = ({ id }: Member) => call(endpoints.resetFactors, { params: { userId: id } })

export function useInvite() {
  const refresh = useRefreshTeam()
  return async (body: unknown): Promise<Invitation> => {
    const invitation = await call(endpoints.invite, { body: unchecked(body) })
    await refresh()
    return invitation
  }
}

export async function resendInvitation({ id, email }: Invitation) {
  const { mailSent } = await call(endpoints.resendInvitation, { params: { id } })
  if (!mailSent) throw new Error(`Couldn’t send the email to ${email}. Try again later.`)
}
export const revokeInvitation = ({ id }: Invitation) => call(endpoints.withdrawInvitation, { params: { id } })

/** Renews the invitation, so the list is read again. */
export function useCopyLink() {
  const refresh = useRefreshTeam()
  return async ({ id }: Invitation) => {
    const link = await call(endpoints.makeInvitationLink, { params: { id } })
    await refresh()
    return link
  }
}

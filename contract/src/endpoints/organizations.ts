/** The caller's organization: its domains, members and invitations. */

import { CompanySignedIn, RegisterCompanyBody, SignedIn } from '../accounts/accounts.ts'
import { del, get, patch, post, put } from '../endpoint.ts'
import { Domain, DomainBody, DomainList } from '../organizations/domains.ts'
import { Organization } from '../organizations/organizations.ts'
import { QuotaList } from '../organizations/quotas.ts'
import {
  AcceptInviteBody,
  Invitation,
  InvitationFacts,
  InviteBody,
  Member,
  OrgSettingsPatch,
  RoleBody,
  Team,
  TeamQuery,
} from '../organizations/team.ts'
import { LinkReply } from '../text.ts'

export const listDomains = get('/api/org/domains', { reply: DomainList })
export const addDomain = post('/api/org/domains', { body: DomainBody, reply: Domain, status: 201 })
export const verifyDomain = post('/api/org/domains/:domain/verify', { reply: Domain })
export const removeDomain = del('/api/org/domains/:domain')
export const getInvitation = get('/api/auth/invite/:token', { reply: InvitationFacts })
export const acceptInvitation = post('/api/auth/accept-invite', { body: AcceptInviteBody, reply: SignedIn })
export const invite = post('/api/org/team/invite', { body: InviteBody, reply: Invitation, status: 201 })
export const resendInvitation = post('/api/org/team/invitations/:id/resend', { reply: Invitation })
export const makeInvitationLink = post('/api/org/team/invitations/:id/link', { reply: LinkReply })
export const withdrawInvitation = del('/api/org/team/invitations/:id')
export const registerCompany = post('/api/auth/register-company', {
  body: RegisterCompanyBody,
  reply: CompanySignedIn,
  status: 201,
})
export const getOrganization = get('/api/org/me', { reply: Organization })
export const listQuotas = get('/api/org/quotas', { reply: QuotaList })
export const changeOrganization = patch('/api/org/settings', { body: OrgSettingsPatch, reply: Organization })
export const listTeam = get('/api/org/team', { query: TeamQuery, reply: Team })
export const changeRole = put('/api/org/team/:userId/role', { body: RoleBody, reply: Member })
export const deactivateMember = post('/api/org/team/:userId/deactivate', { reply: Member })
export const resetFactors = post('/api/org/team/:userId/reset-factors', { reply: Member })
export const reactivateMember = post('/api/org/team/:userId/reactivate', { reply: Member })

/** Registering a company, and the caller's own organization. */
import { CompanySignedIn, RegisterCompanyBody } from '@chancery/contract/accounts.ts'
import { Organization } from '@chancery/contract/organizations.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { type AccountsContext, type CompanyFounder, countMembers } from '#modules/accounts/index.ts'
import { presentOrganization } from './present.ts'
import { findOwnOrganization } from './queries.ts'

export const organizationRoutes = ({ db }: AccountsContext, found: CompanyFounder): Route[] => [
  route({
    method: 'POST',
    path: '/api/auth/register-company',
    access: 'public',
    summary: 'Register a company with its first administrator and a trial plan',
    limits: [{ per: 'address', max: 200, windowSec: 3600 }],
    body: RegisterCompanyBody,
    reply: CompanySignedIn,
    status: 201,
    handle: async ({ body, http }) => {
      const reply = await found(body, http)
      http.setTokenCookie(reply.token, { expiresAt: reply.expiresAt === null ? null : new Date(reply.expiresAt) })
      return reply
    },
  }),
  route({
    method: 'GET',
    path: '/api/org/me',
    access: 'user',
    summary: "The caller's organization",
    reply: Organization,
    handle: async ({ actor }) => {
      const organization = await findOwnOrganization(db, actor)
      if (!organization) throw new AppError('organization_not_found')
      const members = await countMembers(db, [organization.id])
      return presentOrganization(organization, members.get(organization.id) ?? 0)
    },
  }),
]

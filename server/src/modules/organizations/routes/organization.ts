/** Registering a company, the caller's own organization, and its settings. */
import * as endpoints from '@chancery/contract/endpoints/organizations.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { CompanyFounder } from '#modules/accounts/index.ts'
import { changeSettings } from '../company/change-settings.ts'
import type { OrganizationsContext } from '../context.ts'
import { readUsage } from '../plan/usage.ts'
import { presentOrganization } from '../present.ts'
import { findOwnOrganization, type OrganizationRow } from '../queries/organizations.ts'

export const organizationRoutes = (context: OrganizationsContext, found: CompanyFounder): Route[] => {
  const { db, quotas } = context
  const present = async (row: OrganizationRow) => presentOrganization(row, await readUsage(context, db, row.id))
  return [
    route({
      ...endpoints.registerCompany,
      access: 'public',
      writes: { reachesOthers: false, whenReadOnly: 'allowed' },
      summary: 'Register a company with its first administrator and a trial plan',
      limits: [{ per: 'address', max: 200, windowSec: 3600 }],
      handle: async ({ body, http }) => {
        const reply = await found(body, http)
        http.setTokenCookie(reply.token, { expiresAt: reply.expiresAt === null ? null : new Date(reply.expiresAt) })
        return reply
      },
    }),
    route({
      ...endpoints.getOrganization,
      access: 'user',
      summary: "The caller's organization, its plan and what is used of it",
      handle: async ({ actor }) => {
        const organization = await findOwnOrganization(db, actor)
        if (!organization) throw new AppError('no_organization')
        return present(organization)
      },
    }),
    route({
      ...endpoints.listQuotas,
      access: 'orgAdmin',
      summary: "The organization's quotas and what is used of them; the platform admin changes them",
      handle: async ({ actor }) => ({ items: await quotas.list(db, actor.organizationId) }),
    }),
    route({
      ...endpoints.changeOrganization,
      access: 'orgAdmin',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Change the name, how everybody signs in, or whether chats can have public links',
      handle: async ({ actor, body, http }) =>
        present(await changeSettings(context, actor, { patch: body, from: http })),
    }),
  ]
}

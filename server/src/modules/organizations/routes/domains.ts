/** The organization's email domains: claim one, prove it by a TXT record, remove it. */
import * as endpoints from '@chancery/contract/endpoints/organizations.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { OrganizationsContext } from '../context.ts'
import { addDomain, removeDomain, verifyDomain } from '../domains/own-domains.ts'
import { presentDomain } from '../present.ts'
import { listOwnDomains } from '../queries/domains.ts'

const limits = [{ per: 'actor', max: 100, windowSec: 3600 }] as const

export const domainRoutes = (context: OrganizationsContext): Route[] => [
  route({
    ...endpoints.listDomains,
    access: 'orgAdmin',
    summary: 'The email domains the organization has claimed',
    handle: async ({ actor }) => {
      const items = (await listOwnDomains(context.db, actor)).map(presentDomain)
      return { items, total: items.length }
    },
  }),
  route({
    ...endpoints.addDomain,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Claim a domain; the reply has the TXT record that proves it',
    limits,
    handle: async ({ actor, body, http }) =>
      presentDomain(await addDomain(context, actor, { domain: body.domain, from: http })),
  }),
  route({
    ...endpoints.verifyDomain,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Look the TXT record up, and verify the domain',
    limits,
    handle: async ({ actor, params, http }) =>
      presentDomain(await verifyDomain(context, actor, { domain: params.domain.toLowerCase(), from: http })),
  }),
  route({
    ...endpoints.removeDomain,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Remove a domain',
    limits,
    handle: ({ actor, params, http }) =>
      removeDomain(context, actor, { domain: params.domain.toLowerCase(), from: http }),
  }),
]

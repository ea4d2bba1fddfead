/** Groups and departments: two addresses, one behaviour. Members see them, administrators change them. */
import { unitEndpoints } from '@chancery/contract/endpoints/units.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { OrganizationsContext } from '../context.ts'
import { asMember } from '../members/as-member.ts'
import { presentUnit } from '../present.ts'
import { findUnit, listUnits } from '../queries/units.ts'
import type { UnitKind } from '../tables.ts'
import { deleteUnit } from '../units/delete-unit.ts'
import { createUnit, updateUnit } from '../units/save-unit.ts'

export const unitRoutes = (context: OrganizationsContext): Route[] => [
  ...routesOf(context, 'group'),
  ...routesOf(context, 'department'),
]

const limits = [{ per: 'actor', max: 1000, windowSec: 3600 }] as const

const routesOf = (context: OrganizationsContext, kind: UnitKind): Route[] => {
  const { db } = context
  const endpoints = unitEndpoints(kind)
  return [
    route({
      ...endpoints.list,
      access: 'user',
      summary: `Every ${kind} of the organization, by name`,
      handle: async ({ actor }) => {
        const items = (await listUnits(db, asMember(actor), kind)).map(presentUnit)
        return { items, total: items.length }
      },
    }),
    route({
      ...endpoints.create,
      access: 'orgAdmin',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: `Make a ${kind}`,
      limits,
      handle: async ({ actor, body, http }) =>
        presentUnit(await createUnit(context, actor, { kind, ...body, from: http })),
    }),
    route({
      ...endpoints.get,
      access: 'user',
      summary: `One ${kind}`,
      handle: async ({ actor, params }) => {
        const unit = await findUnit(db, actor, { id: params.id, kind })
        if (!unit) throw new AppError('unit_not_found')
        return presentUnit(unit)
      },
    }),
    route({
      ...endpoints.change,
      access: 'orgAdmin',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: `Rename a ${kind}, or say who is in it`,
      limits,
      handle: async ({ actor, params, body, http }) =>
        presentUnit(await updateUnit(context, actor, { id: params.id, kind, from: http, decide: () => body })),
    }),
    route({
      ...endpoints.remove,
      access: 'orgAdmin',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: `Dissolve a ${kind}`,
      limits,
      handle: ({ actor, params, http }) => deleteUnit(context, actor, { id: params.id, kind, from: http }),
    }),
  ]
}

/** Groups and departments: two addresses, one behaviour. */
import { del, get, patch, post } from '../endpoint.ts'
import { Unit, UnitBody, UnitList, UnitPatch } from '../organizations/team.ts'

export const unitEndpoints = (kind: 'group' | 'department') => {
  const base = `/api/org/${kind}s` as const
  return {
    list: get(base, { reply: UnitList }),
    create: post(base, { body: UnitBody, reply: Unit, status: 201 }),
    get: get(`${base}/:id`, { reply: Unit }),
    change: patch(`${base}/:id`, { body: UnitPatch, reply: Unit }),
    remove: del(`${base}/:id`),
  }
}

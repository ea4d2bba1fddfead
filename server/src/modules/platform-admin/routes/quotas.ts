/** The platform console's quotas: of one organization, and of everybody on a plan. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import type { QuotaChanges } from '#kernel/quotas/index.ts'
import type { AdminContext } from '../context.ts'

const writes = { reachesOthers: false, whenReadOnly: 'refused' } as const
const readablePlan = /^[\w .-]{1,60}$/

interface Saving {
  actor: Actor
  limits: QuotaChanges
  http: HttpCall
}

export const quotaRoutes = ({ db, audit, organizations, quotas }: AdminContext): Route[] => {
  const requireOrganization = async (id: string): Promise<void> => {
    if (!(await organizations.findUnscoped(db, id))) throw new AppError('organization_not_found')
  }
  const requirePlan = (plan: string): void => {
    if (!readablePlan.test(plan)) throw new AppError('not_found')
  }
  const ofPlan = (plan: string) => ({ items: quotas.listOfPlan(plan).map((quota) => ({ ...quota, used: null })) })
  const save = (subject: Parameters<typeof quotas.save>[0], { actor, limits, http }: Saving): Promise<void> => {
    const organization = 'scopeId' in subject ? { organizationId: subject.scopeId } : {}
    const target =
      'plan' in subject ? { kind: 'plan', id: subject.plan } : { kind: 'organization', id: subject.scopeId }
    return quotas.save(subject, limits, (tx) =>
      audit.record(tx, {
        action: 'platform.edit_quotas',
        by: actor,
        from: http,
        target,
        ...organization,
        detail: limits,
      }),
    )
  }
  return [
    route({
      ...endpoints.listQuotas,
      access: 'platformOwner',
      summary: 'The quotas of an organization, where each limit comes from, and what is used',
      handle: async ({ params }) => {
        await requireOrganization(params.id)
        return { items: await quotas.list(db, params.id) }
      },
    }),
    route({
      ...endpoints.saveQuotas,
      access: 'platformOwner',
      writes,
      summary: 'Set or remove limits of one organization',
      handle: async ({ actor, params, body: { limits }, http }) => {
        await requireOrganization(params.id)
        await save({ scopeId: params.id }, { actor, limits, http })
        return { items: await quotas.list(db, params.id) }
      },
    }),
    route({
      ...endpoints.listPlanQuotas,
      access: 'platformOwner',
      summary: 'The quotas of every organization on a plan',
      handle: async ({ params }) => {
        requirePlan(params.plan)
        return ofPlan(params.plan)
      },
    }),
    route({
      ...endpoints.savePlanQuotas,
      access: 'platformOwner',
      writes,
      summary: 'Set or remove limits of every organization on a plan',
      handle: async ({ actor, params, body: { limits }, http }) => {
        requirePlan(params.plan)
        await save({ plan: params.plan }, { actor, limits, http })
        return ofPlan(params.plan)
      },
    }),
  ]
}

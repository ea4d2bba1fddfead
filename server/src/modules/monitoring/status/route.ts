/** How the instance did, for platform admins. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import type { Status } from '@chancery/contract/platform/status.ts'
import { unixSeconds } from '#kernel/clock.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { listUsersAmongUnscoped } from '#modules/accounts/index.ts'
import { listOrganizationsAmongUnscoped } from '#modules/organizations/index.ts'
import { countsOf, levelsOf, presentConnections, presentPoints, presentQueues, refusedIn } from './present.ts'
import { findLatestUnscoped, listPeriodsUnscoped, type Sample } from './queries.ts'
import { periodsOf, type Span, spans } from './spans.ts'

export type StatusKernel = Pick<Kernel<{ SVC_CURRENCY: string }>, 'clock' | 'config' | 'db'>

export const statusRoute = (kernel: StatusKernel): Route =>
  route({
    ...endpoints.getStatus,
    access: 'platformOwner',
    summary: 'Requests, models, runs, queues and the database in the last day or month',
    handle: ({ query }) => readStatus(kernel, query.span),
  })

const readStatus = async ({ clock, config, db }: StatusKernel, span: Span): Promise<Status> => {
  const { source, stepSec } = spans[span]
  const now = clock.now()
  const periods = periodsOf(span, now)
  const [from = now] = periods
  const samples = await listPeriodsUnscoped(db, { from, now, source, stepSec })
  const [latest, atLimit] = await Promise.all([findLatestUnscoped(db, now), nameRefused(db, samples)])
  const levels = levelsOf(samples)
  return {
    currency: config.SVC_CURRENCY,
    step_sec: stepSec,
    sampled_at: latest ? unixSeconds(latest) : null,
    most_connections: levels['database.most'] ?? null,
    points: presentPoints(periods, samples),
    connections: presentConnections(countsOf(samples)),
    queues: presentQueues(levels),
    at_limit: atLimit,
  }
}

/** Without those who were deleted since. */
const nameRefused = async (db: Kernel['db'], samples: readonly Sample[]): Promise<Status['at_limit']> => {
  const refused = refusedIn(countsOf(samples))
  const ids = [...new Set(refused.map(({ id }) => id))]
  const [organizations, users] = await Promise.all([
    listOrganizationsAmongUnscoped(db, ids),
    listUsersAmongUnscoped(db, ids),
  ])
  const owners = new Map<string, Pick<Status['at_limit'][number], 'kind' | 'name'>>([
    ...users.map(({ id, name }) => [id, { kind: 'user', name }] as const),
    ...organizations.map(({ id, name }) => [id, { kind: 'organization', name }] as const),
  ])
  return refused.flatMap(({ id, quota, times }) => {
    const owner = owners.get(id)
    return owner ? { ...owner, id, quota, times } : []
  })
}

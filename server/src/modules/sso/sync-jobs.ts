/** When the directory is read: every interval for all organizations, and at once when an administrator asks. */
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { SsoContext } from './context.ts'
import type { DirectoryApi } from './directory/api.ts'
import {
  deleteReportsBeforeUnscoped,
  deleteUsedBeforeUnscoped,
  findLastSyncUnscoped,
  insertReportUnscoped,
  type SyncReportRow,
} from './queries.ts'
import { syncOrganization } from './sync-organization.ts'

const SyncData = z.strictObject({ reportId: z.uuid(), organizationId: z.uuid(), isDryRun: z.boolean() })
export type SyncJob = JobDefinition<z.infer<typeof SyncData>>

/** One at a time for each organization, on whichever node. */
export const syncJob = (context: SsoContext, directory: DirectoryApi): SyncJob =>
  defineJob({
    name: 'sso.sync',
    data: SyncData,
    policy: 'singleton',
    retryLimit: 2,
    retryDelaySec: 15,
    handle: (data, { signal }) => syncOrganization(context, directory, { ...data, signal }),
  })

interface Request {
  organizationId: string
  isDryRun: boolean
}

/** The report exists from the beginning, so that the administrator sees that it runs. */
export const enqueueSync = async (
  { ids, clock, jobs }: SsoContext,
  tx: Db,
  { job, organizationId, isDryRun }: Request & { job: SyncJob },
): Promise<SyncReportRow> => {
  const report: SyncReportRow = {
    id: ids.next(),
    organizationId,
    dryRun: isDryRun,
    startedAt: clock.now(),
    finishedAt: null,
    outcome: 'running',
    detail: '',
    added: 0,
    updated: 0,
    deactivated: 0,
    seen: 0,
  }
  await insertReportUnscoped(tx, report)
  await jobs.enqueue(tx, job, { reportId: report.id, organizationId, isDryRun }, { singletonKey: organizationId })
  return report
}

/** An administrator asks for a pass over their own organization. */
export const requestSync = (
  context: SsoContext,
  actor: OrgActor,
  { job, isDryRun }: { job: SyncJob; isDryRun: boolean },
): Promise<SyncReportRow> =>
  context.db.transaction().execute(async (tx) => {
    const organization = await context.organizations.findUnscoped(tx, actor.organizationId)
    if (organization?.authProvider !== 'SSO') throw new AppError('sso_not_configured')
    return enqueueSync(context, tx, { job, organizationId: organization.id, isDryRun })
  })

/** Every node starts this job; the first one enqueues the passes that are due, and the others find none due. */
export const syncAllJob = (context: SsoContext, job: SyncJob): JobDefinition<Record<string, never>> =>
  defineJob({
    name: 'sso.sync_all',
    data: z.strictObject({}),
    policy: 'exclusive',
    retryLimit: 0,
    handle: async () => {
      for (let page = 1; ; page += 1) {
        const { items, total } = await context.organizations.listUnscoped(context.db, { page, limit: 200 })
        for (const { id, authProvider, active } of items)
          if (authProvider === 'SSO' && active) await syncWhenDue(context, job, id)
        if (page * 200 >= total) return
      }
    },
  })

/** A little less than the interval, so that a timer that fires a moment early does not skip a pass. */
const dueShare = 0.9

const syncWhenDue = (context: SsoContext, job: SyncJob, organizationId: string): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const last = await findLastSyncUnscoped(tx, organizationId)
    const since = context.clock.now().getTime() - (last?.startedAt.getTime() ?? 0)
    if (since >= context.settings.syncEveryMs * dueShare)
      await enqueueSync(context, tx, { job, organizationId, isDryRun: false })
  })

const dayMs = 86_400_000

/** Nightly: forgets what can no longer be replayed, and old reports. */
export const sweepJob = ({ db, clock }: SsoContext): JobDefinition<Record<string, never>> =>
  defineJob({
    name: 'sso.sweep',
    data: z.strictObject({}),
    timetable: { cron: '23 3 * * *', data: {} },
    handle: async () => {
      await deleteUsedBeforeUnscoped(db, clock.now())
      await deleteReportsBeforeUnscoped(db, new Date(clock.now().getTime() - 90 * dayMs))
    },
  })

/** When a company is compared with the directory: when a sweep finds a change, and when an administrator asks. */
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { SsoContext } from '../context.ts'
import type { DirectoryApi } from '../directory/api.ts'
import {
  deleteReportsBeforeUnscoped,
  deleteUsedBeforeUnscoped,
  insertReportUnscoped,
  type SyncReportRow,
} from '../queries.ts'
import { isDue } from './is-due.ts'
import { newReport } from './report-pass.ts'
import {
  beginSweepUnscoped,
  deleteStatesExceptUnscoped,
  endSweepUnscoped,
  listStatesUnscoped,
  noteRequestedUnscoped,
} from './state-queries.ts'
import { sweepDirectory } from './sweep-directory.ts'
import { syncOrganization } from './sync-organization.ts'

/** Without a report: nobody asked, so there is one only if there is something to say. */
const SyncData = z.strictObject({ reportId: z.uuid().nullable(), organizationId: z.uuid(), isDryRun: z.boolean() })
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

/** An administrator asks for a pass. The report exists from the beginning, so that they see that it runs. */
export const requestSync = (
  context: SsoContext,
  actor: OrgActor,
  { job, isDryRun }: { job: SyncJob; isDryRun: boolean },
): Promise<SyncReportRow> =>
  context.db.transaction().execute(async (tx) => {
    const organization = await context.organizations.findUnscoped(tx, actor.organizationId)
    if (organization?.authProvider !== 'SSO') throw new AppError('sso_not_configured')
    const report = newReport(context, { organizationId: organization.id, isDryRun })
    await insertReportUnscoped(tx, report)
    await enqueue(context, tx, { job, organizationId: organization.id, reportId: report.id, isDryRun })
    return report
  })

const enqueue = (
  { jobs }: SsoContext,
  tx: Db,
  { job, ...data }: z.infer<typeof SyncData> & { job: SyncJob },
): Promise<unknown> => jobs.enqueue(tx, job, data, { singletonKey: data.organizationId })

/** Every node starts this job; one sweeps, and the others find that it has begun. */
export const syncAllJob = (
  context: SsoContext,
  directory: DirectoryApi,
  job: SyncJob,
): JobDefinition<Record<string, never>> =>
  defineJob({
    name: 'sso.sync_all',
    data: z.strictObject({}),
    policy: 'exclusive',
    retryLimit: 0,
    // Roles of many people, read one by one.
    expireInSec: 14_400,
    handle: async (_, { signal }) => {
      const { clock, db } = context
      const at = clock.now()
      if (!(await beginSweepUnscoped(db, { at, before: latestBefore(context, at) }))) return
      const organizationIds = await context.organizations.listSsoIdsUnscoped(db)
      await deleteStatesExceptUnscoped(db, organizationIds)
      if (organizationIds.length > 0) await requestDue(context, { directory, job, organizationIds, signal })
      await endSweepUnscoped(db, clock.now())
    },
  })

/** A little less than the interval, so that a timer that fires a moment early does not skip a sweep. */
const dueShare = 0.9

const latestBefore = ({ settings }: SsoContext, at: Date): Date =>
  new Date(at.getTime() - settings.syncEveryMs * dueShare)

interface Sweep {
  directory: DirectoryApi
  job: SyncJob
  organizationIds: readonly string[]
  signal: AbortSignal
}

const requestDue = async (context: SsoContext, { directory, job, organizationIds, signal }: Sweep): Promise<void> => {
  const { clock, db } = context
  const digests = await sweepDirectory(directory, { organizationIds, signal })
  const states = await listStatesUnscoped(db, organizationIds)
  for (const [organizationId, digest] of digests) {
    const now = clock.now()
    if (!isDue(states.get(organizationId), { digest, now })) continue
    signal.throwIfAborted()
    await db.transaction().execute(async (tx) => {
      await noteRequestedUnscoped(tx, organizationId, now)
      await enqueue(context, tx, { job, organizationId, reportId: null, isDryRun: false })
    })
  }
}

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

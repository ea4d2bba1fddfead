/** The directory sync of the caller's own organization: start a pass, dry or real, and read the latest reports. */
import * as endpoints from '@chancery/contract/endpoints/logins.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { SsoContext } from '../context.ts'
import { presentReport } from '../present.ts'
import { listReports } from '../queries.ts'
import { findSweptAtUnscoped } from '../sync/state-queries.ts'
import { requestSync, type SyncJob } from '../sync/sync-jobs.ts'

/** `sync` is undefined without a service account at the provider. */
export const syncRoutes = ({ db }: Kernel, sync: { context: SsoContext; job: SyncJob } | undefined): Route[] => [
  route({
    ...endpoints.syncDirectory,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Compare the organization with the identity provider’s directory, and apply it unless it is a dry run',
    limits: [{ per: 'actor', max: 30, windowSec: 3600 }],
    handle: async ({ actor, body }) => {
      if (!sync) throw new AppError('sso_not_configured')
      return presentReport(await requestSync(sync.context, actor, { job: sync.job, isDryRun: body.dryRun }))
    },
  }),
  route({
    ...endpoints.getDirectorySync,
    access: 'orgAdmin',
    summary: 'The latest passes over the identity provider’s directory',
    handle: async ({ actor }) => {
      const [reports, checkedAt] = [await listReports(db, actor), await findSweptAtUnscoped(db)]
      return { reports: reports.map(presentReport), checkedAt: checkedAt?.toISOString() ?? null }
    },
  }),
]

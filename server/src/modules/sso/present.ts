/** The only way from rows to JSON. */
import type { SyncReport } from '@chancery/contract/organizations/sso.ts'
import type { SyncReportRow } from './queries.ts'

export const presentReport = ({ startedAt, finishedAt, ...report }: SyncReportRow): SyncReport => ({
  ...report,
  startedAt: startedAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
})

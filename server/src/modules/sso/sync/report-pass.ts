/** Reports of passes. One that nobody asked for has a report only if it changed something or says something new. */
import type { SsoContext } from '../context.ts'
import { findLastReportUnscoped, insertReportUnscoped, type SyncReportRow, updateReportUnscoped } from '../queries.ts'

export type Findings = Pick<SyncReportRow, 'outcome' | 'detail' | 'added' | 'updated' | 'deactivated' | 'seen'>

export const nothingFound: Findings = { outcome: 'running', detail: '', added: 0, updated: 0, deactivated: 0, seen: 0 }

export const newReport = (
  { ids, clock }: Pick<SsoContext, 'ids' | 'clock'>,
  { organizationId, isDryRun }: { organizationId: string; isDryRun: boolean },
): SyncReportRow => ({
  id: ids.next(),
  organizationId,
  dryRun: isDryRun,
  startedAt: clock.now(),
  finishedAt: null,
  ...nothingFound,
})

/** Of a pass that a sweep asked for. */
export const reportIfNew = async (
  context: SsoContext,
  pass: { organizationId: string; startedAt: Date },
  findings: Findings,
): Promise<void> => {
  const { db, clock } = context
  const { outcome, detail, added, updated, deactivated } = findings
  const hasApplied = outcome === 'done' && added + updated + deactivated > 0
  if (outcome === 'done' && !hasApplied && detail === '') return
  const finishedAt = clock.now()
  const last = await findLastReportUnscoped(db, pass.organizationId)
  if (last && !hasApplied && saysTheSame(last, findings)) await updateReportUnscoped(db, last.id, { finishedAt })
  else
    await insertReportUnscoped(db, {
      ...newReport(context, { ...pass, isDryRun: false }),
      ...pass,
      ...findings,
      finishedAt,
    })
}

const saysTheSame = (last: SyncReportRow, { outcome, detail, added, updated, deactivated }: Findings): boolean =>
  last.outcome === outcome &&
  last.detail === detail &&
  last.added === added &&
  last.updated === updated &&
  last.deactivated === deactivated

/** An organization's retention of answered approvals, which are evidence: never shorter than the audit log's. */
import type { ApprovalRetention } from '@chancery/contract/workflows/runs.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import {
  deleteAnsweredUnscoped,
  findApprovalDays,
  listApprovalDaysUnscoped,
  saveApprovalDays,
} from '../queries/approval-retention.ts'
import type { RunsContext } from '../shared/context.ts'

type Needs = Pick<RunsContext, 'kernel' | 'organizations' | 'auditDays'>

export const describeRetention = async (
  { kernel, auditDays }: Pick<Needs, 'kernel' | 'auditDays'>,
  actor: OrgActor,
): Promise<ApprovalRetention> => ({
  days: (await findApprovalDays(kernel.db, actor)) ?? null,
  audit_log_days: auditDays() || null,
})

export const changeRetention = async (
  { kernel, organizations, auditDays }: Needs,
  actor: OrgActor,
  { days, from }: { days: number | null; from: Origin },
): Promise<void> => {
  requireLongEnough(days, auditDays())
  await kernel.db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    const before = (await findApprovalDays(tx, actor)) ?? null
    if (before === days) return
    await saveApprovalDays(tx, actor, days)
    const { organizationId: id } = actor
    await kernel.audit.record(tx, {
      action: 'approval.retention',
      by: actor,
      from,
      target: { kind: 'approval', id },
      detail: { days, before },
    })
  })
}

const requireLongEnough = (days: number | null, auditDays: number): void => {
  if (days === null) return
  const kept = auditDays === 0 ? 'forever' : `for ${auditDays} days`
  if (auditDays === 0 || days < auditDays)
    throw new AppError('approvals_kept_too_short', {
      detail: `The audit log is kept ${kept}, and approvals can't be kept for a shorter time.`,
    })
}

const dayMs = 86_400_000

/**
 * Deletes answered approvals that are older than their organization and the audit log say, in batches; each leaves an
 * audit entry. The audit log may be kept longer by now than when the organization chose.
 */
export const deleteOldApprovals = async (
  { audit, clock, db }: Pick<RunsContext['kernel'], 'audit' | 'clock' | 'db'>,
  { auditDays, batchSize, signal }: { auditDays: number; batchSize: number; signal: AbortSignal },
): Promise<void> => {
  if (auditDays === 0) return
  for (const { scopeId, days } of await listApprovalDaysUnscoped(db)) {
    const before = new Date(clock.now().getTime() - Math.max(days, auditDays) * dayMs)
    const deleteSome = () =>
      db.transaction().execute(async (tx) => {
        const count = await deleteAnsweredUnscoped(tx, { scopeId, before, limit: batchSize })
        const detail = { count, before: before.toISOString() }
        if (count > 0)
          await audit.record(tx, { action: 'approval.expire', by: 'system', organizationId: scopeId, detail })
        return count === batchSize
      })
    await inBatches(signal, deleteSome)
  }
}

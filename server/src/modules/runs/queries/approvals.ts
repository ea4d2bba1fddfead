/** All SQL for `approvals`: what people were asked, and their answers. */

import { can } from '@chancery/contract/abilities.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, type Page } from '#kernel/db/paging.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { ApprovalsTable } from './tables.ts'

export type ApprovalRow = Selectable<ApprovalsTable>

export const insertApprovalUnscoped = async (tx: Db, approval: Insertable<ApprovalsTable>): Promise<void> => {
  await tx
    .insertInto('approvals')
    .values(approval)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** For the node that asked. */
export const findApprovalUnscoped = (db: Db, stepId: string): Promise<ApprovalRow | undefined> =>
  db.selectFrom('approvals').selectAll().where('stepId', '=', stepId).executeTakeFirst()

/** Approvals the actor was asked for, by name or as a reviewer, and those they answered. */
const askedOf = (db: Db, actor: Actor) => {
  const named = sql<boolean>`${actor.id} = any(approvals.approvers)`
  const asReviewer = sql<boolean>`${can(actor, 'answer-any-approval')}::boolean`
  return db
    .selectFrom('approvals')
    .leftJoin('runs', 'runs.id', 'approvals.runId')
    .where('approvals.scopeId', '=', scopeOf(actor))
    .where((where) => where.or([named, asReviewer, where('approvals.answeredBy', '=', actor.id)]))
}

/** Open ones can still be answered: their run is active. Open: oldest first; answered: newest first. */
export const listApprovals = (
  db: Db,
  actor: Actor,
  { isOpen, runId, ...page }: Page & { isOpen: boolean; runId?: string | undefined },
): Promise<{ items: ApprovalRow[]; total: number }> => {
  const asked = runId === undefined ? askedOf(db, actor) : askedOf(db, actor).where('approvals.runId', '=', runId)
  const matching = isOpen
    ? asked.where('approvals.answeredAt', 'is', null).where('runs.status', 'in', ['queued', 'running', 'waiting'])
    : asked.where('approvals.answeredAt', 'is not', null)
  return fetchPage(db, matching, page, {
    select: (query) =>
      query
        .selectAll('approvals')
        .orderBy(isOpen ? 'approvals.askedAt' : 'approvals.answeredAt', isOpen ? 'asc' : 'desc'),
  })
}

export const findApproval = (
  db: Db,
  actor: Actor,
  { runId, stepId }: { runId: string; stepId: string },
): Promise<ApprovalRow | undefined> =>
  db
    .selectFrom('approvals')
    .selectAll()
    .where('scopeId', '=', scopeOf(actor))
    .where('runId', '=', runId)
    .where('stepId', '=', stepId)
    .executeTakeFirst()

interface Answer {
  approved: boolean
  comment: string
  now: Date
}

/** Undefined when someone else answered first, the deadline has passed, or the run has ended. */
export const answerApproval = async (
  tx: Db,
  actor: Actor,
  stepId: string,
  answer: Answer,
): Promise<ApprovalRow | undefined> => {
  const { approved, comment, now } = answer
  const { rows } = await sql<ApprovalRow>`
    update approvals a set approved = ${approved}, comment = ${comment}, answered_by = ${actor.id},
      answered_by_name = ${actor.name}, answered_at = ${now}
    from runs r, run_steps s
    where a.step_id = ${stepId} and a.scope_id = ${scopeOf(actor)} and a.answered_at is null
      and (a.deadline_at is null or a.deadline_at > ${now})
      and r.id = a.run_id and r.status in ('queued', 'running', 'waiting') and s.id = a.step_id and s.status = 'waiting'
    returning a.*`.execute(tx)
  return rows[0]
}

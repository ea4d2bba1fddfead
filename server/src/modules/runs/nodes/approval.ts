/** Asks people for approval. The first answer counts; at the deadline the node continues along `expired`. */
import type { Db } from '#kernel/db/database.ts'
import { findUserByIdUnscoped, listMembersAmongUnscoped, listOrgAdminsUnscoped } from '#modules/accounts/index.ts'
import { findApprovalUnscoped } from '../queries/approvals.ts'
import type { ConfigOf, Executor, NodeCall, NodeResult } from '../shared/node-interface.ts'
import { provenAddresses } from '../shared/proven-addresses.ts'
import { storableText } from '../shared/storable-json.ts'

type Call = NodeCall<ConfigOf<'approval'>>

const maxAddresses = 50

export const approval =
  ({ db }: { db: Db }): Executor<ConfigOf<'approval'>> =>
  (call) =>
    call.waiting ? checkAnswer(db, call) : ask(db, call)

const ask = async (db: Db, { config, render, run, now }: Call): Promise<NodeResult> => {
  const text = (template: string, maxLength: number) => storableText(render(template), maxLength)
  const deadlineAt = config.deadline_sec === undefined ? null : new Date(now.getTime() + config.deadline_sec * 1000)
  const approvers = config.approvers ?? []
  return {
    kind: 'waiting',
    wakeAt: deadlineAt,
    approval: {
      title: text(config.title, 500) || 'Approval',
      message: text(config.message ?? '', 20_000),
      approvers,
      deadlineAt,
      addresses: await findAddresses(db, run.scopeId, approvers),
    },
  }
}

/** The named approvers who belong to the scope; without any, its reviewers. */
const findAddresses = async (db: Db, scopeId: string, approvers: readonly string[]): Promise<string[]> => {
  const self = await findUserByIdUnscoped(db, scopeId)
  if (!self && approvers.length === 0) return provenAddresses(await listOrgAdminsUnscoped(db, scopeId, maxAddresses))
  const people = self ? [self] : await listMembersAmongUnscoped(db, scopeId, approvers)
  return provenAddresses(people.filter(({ status }) => status === 'ACTIVE'))
}

const checkAnswer = async (db: Db, { step, waiting, now }: Call): Promise<NodeResult> => {
  const asked = await findApprovalUnscoped(db, step.id)
  const { approved, comment, answeredBy, answeredByName, answeredAt } = asked ?? {}
  if (approved !== null && approved !== undefined) {
    const by = { id: answeredBy ?? '', name: answeredByName ?? '' }
    const output = { approved, comment: comment ?? '', by, at: answeredAt?.getTime() ?? null }
    return { kind: 'done', output, handle: approved ? 'approved' : 'rejected' }
  }
  const wakeAt = waiting?.wakeAt ?? null
  if (wakeAt !== null && wakeAt <= now) return { kind: 'done', output: { approved: null }, handle: 'expired' }
  return { kind: 'waiting', wakeAt }
}

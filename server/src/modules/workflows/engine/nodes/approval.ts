/** Asks people. The first answer counts; without one the way out is `expired`. */
import type { Db } from '#kernel/db/database.ts'
import { findUserByIdUnscoped, listMembersUnscoped, type UserRow } from '#modules/accounts/index.ts'
import { parseTemplate, renderTemplate } from '../../graph/template.ts'
import type { ConfigOf, Executor, NodeCall, NodeResult } from '../node-face.ts'
import { findApprovalUnscoped } from '../queries/approvals.ts'
import { storableText } from '../storable-json.ts'

type Call = NodeCall<ConfigOf<'approval'>>

const mostAddresses = 50

export const approval =
  ({ db }: { db: Db }): Executor<ConfigOf<'approval'>> =>
  (call) =>
    call.waiting ? look(db, call) : ask(db, call)

const ask = async (db: Db, { config, state, run, now }: Call): Promise<NodeResult> => {
  const text = (template: string, longest: number) =>
    storableText(renderTemplate(parseTemplate(template), state), longest)
  const deadlineAt = config.deadline_sec === undefined ? null : new Date(now.getTime() + config.deadline_sec * 1000)
  const approvers = config.approvers ?? []
  return {
    ...{ kind: 'waiting', wakeAt: deadlineAt },
    approval: {
      title: text(config.title, 500) || 'Approval',
      message: text(config.message ?? '', 20_000),
      ...{ approvers, deadlineAt, addresses: await findAddresses(db, run.scopeId, approvers) },
    },
  }
}

/** A scope is an organization or a person: whoever was named of its people, else those who review. */
const findAddresses = async (db: Db, scopeId: string, approvers: readonly string[]): Promise<string[]> => {
  const self = await findUserByIdUnscoped(db, scopeId)
  const isAsked = ({ id, role }: UserRow) => (approvers.length > 0 ? approvers.includes(id) : role === 'ROLE_ORG_ADMIN')
  const people = self ? [self] : (await listMembersUnscoped(db, scopeId)).filter(isAsked)
  return people
    .filter(({ status }) => status === 'ACTIVE')
    .slice(0, mostAddresses)
    .map(({ email }) => email)
}

const look = async (db: Db, { step, waiting, now }: Call): Promise<NodeResult> => {
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

/** Carries out what a pass found, person by person: what one person's row refuses does not hold up the others. */
import { AppError } from '#kernel/errors.ts'
import type { SsoContext } from '../context.ts'
import { insertSuspensionUnscoped } from '../queries.ts'
import type { Change, Plan } from './directory-diff.ts'

export interface Applied {
  counts: { added: number; updated: number; deactivated: number }
  /** Changes that were left out, in sentences for the organization's administrators. */
  notes: string[]
}

export const applyPlan = async (context: SsoContext, plan: Plan, organizationId: string): Promise<Applied> => {
  const notes: string[] = []
  const each = async <Item>(items: readonly Item[], apply: (item: Item) => Promise<unknown>): Promise<Item[]> => {
    const done: Item[] = []
    for (const item of items) {
      const note = await noteOf(apply(item))
      if (note === undefined) done.push(item)
      else notes.push(note)
    }
    return done
  }
  const deactivated = await each(plan.deactivate, ({ userId }) => suspend(context, organizationId, userId))
  const linked = await each(plan.link, ({ userId, subject }) => link(context, userId, subject))
  const reactivated = await each(plan.reactivate, (userId) => reactivate(context, organizationId, userId))
  const updated = await each(plan.update, (item) => update(context, { ...item, organizationId }))
  const added = await each(plan.add, (person) => add(context, organizationId, person))
  const touched = new Set([...linked, ...updated].map(({ userId }) => userId).concat(reactivated))
  return {
    counts: { added: added.length, updated: touched.size, deactivated: deactivated.length },
    notes: [...new Set(notes)],
  }
}

/** A refusal of ours is worth a sentence; anything else ends the pass, which is tried again. */
const noteOf = async (work: Promise<unknown>): Promise<string | undefined> => {
  try {
    await work
    return undefined
  } catch (problem) {
    if (problem instanceof AppError && problem.status < 500) return problem.message
    throw problem
  }
}

const suspend = ({ organizations, clock }: SsoContext, organizationId: string, userId: string) =>
  organizations.directory.setStatusUnscoped({
    organizationId,
    userId,
    status: 'DEACTIVATED',
    alongside: (tx) => insertSuspensionUnscoped(tx, { userId, suspendedAt: clock.now() }),
  })

const reactivate = ({ organizations }: SsoContext, organizationId: string, userId: string) =>
  organizations.directory.setStatusUnscoped({ organizationId, userId, status: 'ACTIVE' })

const link = (context: SsoContext, userId: string, subject: string): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const { issuer } = context.settings
    if (!(await context.accounts.identities.linkUnscoped(tx, { issuer, subject, userId })))
      throw new AppError('already_member')
    await context.requestPush(tx, userId)
  })

interface Update {
  userId: string
  change: Change
  organizationId: string
}

const update = ({ accounts, organizations }: SsoContext, item: Update): Promise<void> =>
  accounts.changePrincipal(item.userId, (tx) =>
    organizations.directory.editUnscoped(tx, { ...item, action: 'sso.update_member' }),
  )

const add = (context: SsoContext, organizationId: string, person: Plan['add'][number]): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const { email, name = email.slice(0, email.lastIndexOf('@')), role = 'ROLE_USER', subject } = person
    const { issuer } = context.settings
    // They were another company's before, under another address: that account is not this company's to take.
    if (await context.accounts.identities.findUserUnscoped(tx, { issuer, subject }))
      throw new AppError('already_member')
    const user = await context.organizations.addMember(tx, { organizationId, email, name, role })
    const isLinked = await context.accounts.identities.linkUnscoped(tx, { issuer, subject, userId: user.id })
    if (!isLinked) throw new AppError('already_member')
  })

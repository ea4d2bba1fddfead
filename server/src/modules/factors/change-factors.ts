/** A person renames or removes what they have, makes new recovery codes, or has their browsers asked again. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { lackingFactor } from '#modules/accounts/index.ts'
import type { FactorsContext } from './context.ts'
import { mailChange } from './factor-mail.ts'
import {
  deleteBrowsersUnscoped,
  deleteFactorUnscoped,
  type FactorRow,
  forgetUnscoped,
  listFactorsUnscoped,
  lockFactorsUnscoped,
  lockOwnFactor,
  updateFactorUnscoped,
} from './queries.ts'
import { renewCodes } from './recovery-codes.ts'

interface Change {
  id: string
  from: Origin
}

export const renameFactor = (
  context: FactorsContext,
  actor: Actor,
  { id, name, from }: Change & { name: string },
): Promise<FactorRow> =>
  context.db.transaction().execute(async (tx) => {
    const factor = await lockOwnFactor(tx, actor, id)
    if (!factor) throw new AppError('factor_not_found')
    await updateFactorUnscoped(tx, id, { name })
    const action = `${context.owners[actor.kind].area}.rename_factor`
    await context.audit.record(tx, { action, by: actor, from, target: { kind: 'factor', id }, detail: { name } })
    return { ...factor, name }
  })

/** With the last one, the recovery codes go too. */
export const removeFactor = async (context: FactorsContext, actor: Actor, { id, from }: Change): Promise<void> => {
  const { area, findPolicy } = context.owners[actor.kind]
  const policy = await findPolicy(actor)
  await context.db.transaction().execute(async (tx) => {
    await lockFactorsUnscoped(tx, actor)
    const factor = await lockOwnFactor(tx, actor, id)
    if (!factor) throw new AppError('factor_not_found')
    const left = (await listFactorsUnscoped(tx, actor)).filter((other) => other.id !== id)
    const suffices = (kind: FactorRow['kind'] | 'email') => lackingFactor(policy, kind) === null
    const isEnough = left.some(({ kind }) => suffices(kind)) || (actor.loginOtp && suffices('email'))
    if (suffices(factor.kind) && policy !== 'none' && !isEnough) throw new AppError('factor_policy')
    await deleteFactorUnscoped(tx, id)
    if (left.length === 0) await forgetUnscoped(tx, actor)
    const { kind, name } = factor
    const target = { kind: 'factor', id }
    await context.audit.record(tx, { action: `${area}.remove_factor`, by: actor, from, target, detail: { kind, name } })
    await mailChange(context, tx, { to: actor.email, told: `${kind} removed` })
  })
}

/** Codes without anything else to lose would be a second password. */
export const renewRecoveryCodes = (context: FactorsContext, actor: Actor, from: Origin): Promise<string[]> =>
  context.db.transaction().execute(async (tx) => {
    await lockFactorsUnscoped(tx, actor)
    if ((await listFactorsUnscoped(tx, actor)).length === 0) throw new AppError('factor_not_found')
    const codes = await renewCodes(context, tx, actor)
    await context.audit.record(tx, {
      action: `${context.owners[actor.kind].area}.renew_recovery_codes`,
      by: actor,
      from,
    })
    await mailChange(context, tx, { to: actor.email, told: 'codes renewed' })
    return codes
  })

export const forgetBrowsers = (context: FactorsContext, actor: Actor, from: Origin): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    await deleteBrowsersUnscoped(tx, actor)
    await context.audit.record(tx, { action: `${context.owners[actor.kind].area}.forget_browsers`, by: actor, from })
  })

/** What an account has to prove itself with, and what is asked of it. */
import type { Factor, FactorList } from '@chancery/contract/accounts/factors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { needsFactor } from '#modules/accounts/index.ts'
import type { FactorsContext } from './context.ts'
import { canHavePasskeys } from './passkeys/relying-party.ts'
import { countBrowsersUnscoped, countCodesUnscoped, type FactorRow, listFactorsUnscoped } from './queries.ts'

export const presentFactor = ({ id, kind, name, createdAt, lastUsedAt }: FactorRow): Factor => ({
  id,
  kind,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

const emailedCode = ({ createdAt }: Actor): Factor => ({
  id: 'email',
  kind: 'email',
  name: 'Emailed code',
  createdAt: createdAt.toISOString(),
  lastUsedAt: null,
})

export const listFactors = async (context: FactorsContext, actor: Actor): Promise<FactorList> => {
  const { clock, db, externalUrl, owners } = context
  const [rows, recoveryCodesLeft, rememberedBrowsers, policy] = await Promise.all([
    listFactorsUnscoped(db, actor),
    countCodesUnscoped(db, actor),
    countBrowsersUnscoped(db, actor, clock.now()),
    owners[actor.kind].findPolicy(actor),
  ])
  return {
    factors: [...rows.map(presentFactor), ...(actor.loginOtp ? [emailedCode(actor)] : [])],
    recoveryCodesLeft,
    rememberedBrowsers,
    policy,
    isNeeded: needsFactor(actor),
    canHavePasskeys: canHavePasskeys(externalUrl),
  }
}

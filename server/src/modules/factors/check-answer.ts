/** Whether the answer to the second step of a login is right. A right one is used up. */
import type { Db } from '#kernel/db/database.ts'
import type { Answer, ChallengeOwner } from '#modules/accounts/index.ts'
import type { FactorsContext } from './context.ts'
import { mailChange } from './factor-mail.ts'
import type { Purpose } from './passkeys/challenges.ts'
import { judgeAnswer } from './passkeys/judge-answer.ts'
import {
  countCodesUnscoped,
  listFactorsUnscoped,
  lockTotpUnscoped,
  updateFactorUnscoped,
  useCodeUnscoped,
} from './queries.ts'
import { hashOfCode } from './recovery-codes.ts'
import { openSecret, stepOfCode } from './totp.ts'

/** What the account has set up, the strongest first. Recovery codes stand behind something that can be lost. */
export const listSteps = async (db: Db, owner: Pick<ChallengeOwner, 'id'>): Promise<Answer['method'][]> => {
  const factors = await listFactorsUnscoped(db, owner)
  if (factors.length === 0) return []
  const has = (kind: 'passkey' | 'totp') => (factors.some((factor) => factor.kind === kind) ? [kind] : [])
  const recovery = (await countCodesUnscoped(db, owner)) > 0 ? ['recovery' as const] : []
  return [...has('passkey'), ...has('totp'), ...recovery]
}

export const checkAnswer = async (
  context: FactorsContext,
  tx: Db,
  owner: ChallengeOwner,
  { method, otp = '', response, purpose }: Answer & { purpose: Purpose },
): Promise<boolean> => {
  if (method === 'totp') return checkTotp(context, tx, owner, otp)
  if (method === 'recovery') return checkRecoveryCode(context, tx, owner, otp)
  const question = { purpose, kind: owner.kind, ownerId: owner.id }
  return response !== undefined && (await judgeAnswer(context, tx, response, question)) !== undefined
}

const checkTotp = async (
  { clock, sealer }: FactorsContext,
  tx: Db,
  owner: ChallengeOwner,
  code: string,
): Promise<boolean> => {
  const now = clock.now()
  for (const { id, sealedSecret, lastStep } of await lockTotpUnscoped(tx, owner)) {
    if (sealedSecret === null) continue
    const step = await stepOfCode({ secret: openSecret(sealer, id, sealedSecret), code, now, lastStep })
    if (step === undefined) continue
    await updateFactorUnscoped(tx, id, { lastStep: step, lastUsedAt: now })
    return true
  }
  return false
}

const checkRecoveryCode = async (
  context: FactorsContext,
  tx: Db,
  owner: ChallengeOwner,
  code: string,
): Promise<boolean> => {
  const hash = hashOfCode(owner.id, code)
  if (!(await useCodeUnscoped(tx, owner, { hash, at: context.clock.now() }))) return false
  await mailChange(context, tx, { to: owner.email, told: 'code used' })
  return true
}

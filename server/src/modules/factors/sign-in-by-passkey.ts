/** A passkey as the whole sign-in: what it is, and that its holder unlocked it, are two factors already. */
import type { PasskeyAnswer } from '@chancery/contract/accounts/factors.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { PrincipalKind } from '#kernel/http/actor.ts'
import type { FactorsContext } from './context.ts'
import { judgeAnswer } from './passkeys/judge-answer.ts'

/** Whose it is. Throws `invalid_passkey`. */
export const findByPasskey = async (
  context: FactorsContext,
  { response, kind, from }: { response: PasskeyAnswer; kind: PrincipalKind; from: Origin },
): Promise<string> => {
  const { audit, db, owners } = context
  const passkey = await db
    .transaction()
    .execute((tx) => judgeAnswer(context, tx, response, { purpose: `sign in ${kind}`, kind }))
  const owner = passkey && (await owners[kind].find(db, passkey.principalId))
  if (owner) return owner.id
  await audit.record(db, {
    action: `${owners[kind].area}.sign_in_failed`,
    by: 'anonymous',
    from,
    detail: { method: 'passkey' },
    ...(passkey && { target: { kind, id: passkey.principalId } }),
  })
  throw new AppError('invalid_passkey')
}

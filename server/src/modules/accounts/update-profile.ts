/** The signed-in person changes their name, or turns the second step of their login on or off. */
import type { MePatch } from '@chancery/contract/accounts.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AccountsContext, changePrincipal } from './context.ts'
import { getSelf, type UserRow, updateSelf } from './queries/users.ts'

export const updateProfile = async (
  context: AccountsContext,
  actor: Actor,
  { patch: { name, loginOtp }, from }: { patch: z.infer<typeof MePatch>; from: Origin },
): Promise<UserRow> => {
  const change = { ...(name !== undefined && { name }), ...(loginOtp !== undefined && { loginOtp }) }
  const fields = Object.keys(change)
  if (fields.length === 0) return getSelf(context.db, actor)
  return changePrincipal(context, actor.id, async (tx) => {
    await context.audit.record(tx, { action: 'account.update', by: actor, from, detail: { fields } })
    return updateSelf(tx, actor, change)
  })
}

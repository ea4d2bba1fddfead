/** A member who lost everything gets back in by the password: an administrator takes their second factors away. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from '../context.ts'
import { getMember } from './get-member.ts'

export const resetMemberFactors = async (
  context: OrganizationsContext,
  actor: OrgActor,
  { userId, from }: { userId: string; from: Origin },
): Promise<UserRow> => {
  const { accounts, audit } = context
  if (userId === actor.id) throw new AppError('forbidden', { detail: 'Remove your own on your account page.' })
  const member = await getMember(context, actor, userId)
  await accounts.changePrincipal(member.id, async (tx) => {
    await accounts.logins.resetFactorsUnscoped(tx, { kind: 'user', id: member.id, email: member.email })
    await audit.record(tx, {
      action: 'organization.reset_factors',
      by: actor,
      from,
      target: { kind: 'user', id: member.id },
    })
  })
  return member
}

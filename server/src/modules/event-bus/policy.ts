/** Dead letters are handled by platform admins, organization admins, and people without an organization. */
import { can } from '@chancery/contract/abilities.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'

export const requireDeadLetterAccess = (actor: Actor): void => {
  if (!can(actor, 'handle-dead-letters')) throw new AppError('forbidden')
}

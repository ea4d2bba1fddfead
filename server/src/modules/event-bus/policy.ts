/** Who looks after failed dispatches: platform owners, a company's administrators, a person without a company. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'

export const requireCaretaker = (actor: Actor): void => {
  if (actor.kind === 'admin' || actor.organizationId === null || actor.role === 'ROLE_ORG_ADMIN') return
  throw new AppError('forbidden')
}

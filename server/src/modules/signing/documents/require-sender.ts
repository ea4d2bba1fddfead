/** Who may send: the same checks as by hand, for models and workflows. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { requireVerifiedEmail } from '#kernel/http/gate/verified-email.ts'
import type { SigningContext } from '../context.ts'

export const requireSender = async ({ kernel, organizations }: SigningContext, actor: Actor): Promise<void> => {
  requirePerson(actor)
  requireVerifiedEmail(kernel.config, actor)
  await organizations.requireWritable(kernel.db, actor)
}

/** A document names its sender to everybody who signs it, so an organization as such can't send one. */
export const requirePerson = ({ id, organizationId }: Actor): void => {
  if (id === organizationId) throw new AppError('sender_missing')
}

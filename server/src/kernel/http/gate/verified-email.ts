/**
 * With SVC_REQUIRE_VERIFIED_EMAIL, what reaches other people needs a proven email address. The route says so; where it
 * depends on the request, or something other than a request does it, the use case asks.
 */
import type { Config } from '../../config/config.ts'
import { AppError } from '../../errors.ts'
import type { Actor } from '../actor.ts'

/** Throws `email_not_verified`. */
export const requireVerifiedEmail = (
  { SVC_REQUIRE_VERIFIED_EMAIL: isRequired }: Pick<Config, 'SVC_REQUIRE_VERIFIED_EMAIL'>,
  actor: Pick<Actor, 'kind' | 'emailVerified'>,
): void => {
  if (isRequired && actor.kind === 'user' && !actor.emailVerified) throw new AppError('email_not_verified')
}

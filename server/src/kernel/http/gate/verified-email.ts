/**
 * With SVC_REQUIRE_VERIFIED_EMAIL, what reaches other people needs a proven email address. Checked by route, or by the use
 * case where a route does it only for some of its requests, or something other than a request does it.
 */
import type { Config } from '../../config/config.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../access.ts'
import type { Actor } from '../actor.ts'
import type { Route } from '../route.ts'

const reachesOthers: readonly RegExp[] = [
  /^POST \/api\/org\/team\/(invite|invitations\/:id\/(resend|link))$/,
  /^(POST \/api\/v1\/chats\/:chatId\/share|PUT \/api\/v1\/chats\/:chatId\/share\/public)$/,
  /^POST \/api\/v1\/agent-workflows\/:id\/(submit|approve|rollback-and-publish)$/,
  /^POST \/api\/signing\/documents\/:id\/(send|recipients\/:recipientId\/(resend|link|replace))$/,
  /^POST \/api\/signing\/templates\/:id\/(use|bulk)$/,
]

type Rule = Pick<Config, 'SVC_REQUIRE_VERIFIED_EMAIL'>

/** Throws `email_not_verified`. */
export const requireVerifiedEmail = (
  { SVC_REQUIRE_VERIFIED_EMAIL: isRequired }: Rule,
  actor: Pick<Actor, 'kind' | 'emailVerified'>,
): void => {
  if (isRequired && actor.kind === 'user' && !actor.emailVerified) throw new AppError('email_not_verified')
}

/** Throws `email_not_verified`. Worked out once per route, since it runs on every request. */
export const createVerifiedEmailCheck = (
  { method, path }: Pick<Route, 'method' | 'path'>,
  config: Rule,
): ((caller: Caller | undefined) => void) => {
  const isChecked = reachesOthers.some((each) => each.test(`${method} ${path}`))
  return (caller) => {
    if (isChecked && caller !== undefined && 'kind' in caller) requireVerifiedEmail(config, caller)
  }
}

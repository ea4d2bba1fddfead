/** With SVC_REQUIRE_VERIFIED_EMAIL, what reaches other people needs a proven email address. One check, by route. */
import type { Config } from '../config/config.ts'
import { AppError } from '../errors.ts'
import type { Caller } from './access.ts'
import type { Route } from './route.ts'

const reachesOthers: readonly RegExp[] = [
  /^POST \/api\/org\/team\/(invite|invitations\/:id\/(resend|link))$/,
  /^(POST \/api\/v1\/chats\/:chatId\/share|PUT \/api\/v1\/chats\/:chatId\/share\/public)$/,
  /^POST \/api\/v1\/agent-workflows\/:id\/(submit|approve|rollback-and-publish)$/,
  /^POST \/api\/signing\/documents\/:id\/(send|recipients\/:recipientId\/(resend|link|replace))$/,
  /^POST \/api\/signing\/templates\/:id\/(use|bulk)$/,
]

/** Throws `email_not_verified`. Worked out once per route, since it runs on every request. */
export const createVerifiedEmailCheck = (
  { method, path }: Pick<Route, 'method' | 'path'>,
  config: Pick<Config, 'SVC_REQUIRE_VERIFIED_EMAIL'>,
): ((caller: Caller | undefined) => void) => {
  const isChecked = config.SVC_REQUIRE_VERIFIED_EMAIL && reachesOthers.some((each) => each.test(`${method} ${path}`))
  return (caller) => {
    const isPerson = caller !== undefined && 'kind' in caller && caller.kind === 'user'
    if (isChecked && isPerson && !caller.emailVerified) throw new AppError('email_not_verified')
  }
}

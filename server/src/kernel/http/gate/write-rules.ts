/** What a route that writes asks of the caller's account and organization, as the route itself says. */
import type { Config } from '../../config/config.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../access.ts'
import type { Route } from '../route.ts'
import { requireVerifiedEmail } from './verified-email.ts'

/** Throws `trial_expired` and `email_not_verified`. Worked out once per route, since it runs on every request. */
export const createWriteCheck = (
  { writes }: Pick<Route, 'writes'>,
  config: Pick<Config, 'SVC_REQUIRE_VERIFIED_EMAIL'>,
): ((caller: Caller | undefined) => void) => {
  const refusesReadOnly = writes?.whenReadOnly === 'refused'
  const asksForProof = writes?.reachesOthers === true
  return (caller) => {
    if (!caller) return
    if (refusesReadOnly && 'isReadOnly' in caller && caller.isReadOnly) throw new AppError('trial_expired')
    if (asksForProof && 'kind' in caller) requireVerifiedEmail(config, caller)
  }
}

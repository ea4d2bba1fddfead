/** What a route asks of the caller's account, organization and session, as the route itself says. */
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../access.ts'
import type { Actor } from '../actor.ts'
import type { Route } from '../route.ts'
import { requireVerifiedEmail } from './verified-email.ts'

interface Deps {
  config: Pick<Config, 'SVC_REQUIRE_VERIFIED_EMAIL'>
  clock: Clock
}

/** Worked out once per route, since it runs on every request. */
export const createRouteRules = (
  { writes, whileLackingFactor, needsFreshProof }: Pick<Route, 'writes' | 'whileLackingFactor' | 'needsFreshProof'>,
  { config, clock }: Deps,
): ((caller: Caller | undefined) => void) => {
  const refusesReadOnly = writes?.whenReadOnly === 'refused'
  const asksForProof = writes?.reachesOthers === true
  return (caller) => {
    if (!caller || !('credential' in caller)) return
    if (caller.credential.needsFactor && !whileLackingFactor) throw new AppError('factor_required')
    if (refusesReadOnly && caller.isReadOnly) throw new AppError('trial_expired')
    if (asksForProof) requireVerifiedEmail(config, caller)
    if (needsFreshProof) requireFreshProof(caller, clock.now())
  }
}

export const freshProofMs = 5 * 60_000

export const hasFreshProof = ({ credential: { provedAt } }: Pick<Actor, 'credential'>, now: Date): boolean =>
  provedAt !== undefined && provedAt !== null && now.getTime() - provedAt.getTime() < freshProofMs

/** A key proves nothing of the person: it can do without them. */
const requireFreshProof = (actor: Actor, now: Date): void => {
  if (actor.credential.kind !== 'session') throw new AppError('forbidden', { detail: 'Sign in to do this yourself.' })
  if (!hasFreshProof(actor, now)) throw new AppError('fresh_proof_required')
}

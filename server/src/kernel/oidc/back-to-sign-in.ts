/** A sign-in elsewhere that fails ends on the sign-in page, which has a sentence for its code. The reason is in the log. */
import { AppError } from '../errors.ts'
import type { Redirect } from '../http/route.ts'
import type { Log } from '../log.ts'
import { OidcError } from './oidc-error.ts'

/** Throws what is neither the provider's fault nor a refusal. */
export const loginProblemCode = (problem: unknown): AppError['code'] => {
  if (problem instanceof OidcError) return problem.reason === 'unavailable' ? 'idp_unavailable' : 'sso_failed'
  if (!(problem instanceof AppError)) throw problem
  return problem.code === 'invalid_credentials' ? 'sso_not_allowed' : problem.code
}

export const orBackToSignIn = async (log: Log, work: () => Promise<string>): Promise<Redirect> => {
  try {
    return { redirectTo: await work() }
  } catch (problem) {
    const code = loginProblemCode(problem)
    log.warn({ code, reason: (problem as Error).message }, 'A company login did not succeed.')
    return { redirectTo: `/sign-in?problem=${code}` }
  }
}

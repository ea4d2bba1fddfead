/** The gateway's OAuth login (contract, Authentication 13). Browsers walk through these, so failures end on a page. */
import * as entrance from '@chancery/contract/endpoints/entrance.ts'
import * as endpoints from '@chancery/contract/endpoints/logins.ts'
import { OauthProviders } from '@chancery/contract/organizations/sso.ts'
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import { type Redirect, type Route, route } from '#kernel/http/route.ts'
import { OidcError } from '#kernel/oidc/index.ts'
import { getProvider, type OauthContext } from './context.ts'
import { finishLogin } from './finish-login.ts'
import type { Provider } from './providers.ts'
import { startLogin } from './start-login.ts'

const perAddress = [{ per: 'address', max: 300, windowSec: 900 }] as const

export const oauthRoutes = (context: OauthContext): Route[] => [
  route({
    ...entrance.listProviders,
    reply: OauthProviders,
    access: 'public',
    summary: 'Which OAuth logins the sign-in page may offer',
    handle: async () => ({ providers: context.providers().map(presentProvider) }),
  }),
  route({
    ...endpoints.startProviderLogin,
    access: 'public',
    summary: 'Start an OAuth login: 302 to the provider',
    limits: perAddress,
    query: z.object({ return_to: z.string().optional() }),
    handle: ({ params, query, http }) => {
      const provider = getProvider(context, params.provider)
      return orProblem(context, provider, () => startLogin(context, { provider, returnTo: query.return_to, http }))
    },
  }),
  route({
    ...endpoints.finishProviderLogin,
    access: 'public',
    summary: 'Finish an OAuth login: 302 to where it began, or to the sign-in page with a problem',
    limits: perAddress,
    query: z.record(z.string(), z.unknown()),
    handle: ({ params, query, http }) => {
      const provider = getProvider(context, params.provider)
      return orProblem(context, provider, () => finishLogin(context, { provider, query, http }))
    },
  }),
]

const presentProvider = ({ id, name }: Provider) => ({ id, name, loginUrl: `/oauth/${id}/login` })

/** People learn only the code of the reason; the rest is for the log. */
const orProblem = async ({ log }: OauthContext, { id }: Provider, work: () => Promise<Redirect>): Promise<Redirect> => {
  try {
    return await work()
  } catch (problem) {
    const code = problemCode(problem)
    if (code === undefined) throw problem
    log.info({ provider: id, code, reason: (problem as Error).message }, 'An OAuth login did not succeed.')
    return { redirectTo: `/sign-in?problem=${code}` }
  }
}

/** Undefined for what is no answer to a login but our own failure. */
const problemCode = (problem: unknown): string | undefined => {
  if (problem instanceof OidcError) return problem.reason === 'unavailable' ? 'idp_unavailable' : 'oauth_failed'
  if (!(problem instanceof AppError) || problem.status >= 500) return undefined
  return problem.code === 'invalid_credentials' ? 'oauth_not_allowed' : problem.code
}

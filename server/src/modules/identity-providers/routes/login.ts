/** The addresses that a browser comes to on its way to an organization's provider and back. */
import * as endpoints from '@chancery/contract/endpoints/logins.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { orBackToSignIn } from '#kernel/oidc/index.ts'
import type { ProvidersContext } from '../context.ts'
import { finishLogin, startLogin } from '../login.ts'

const limits = [{ per: 'address', max: 600, windowSec: 900 }] as const

export const loginRoutes = (context: ProvidersContext): Route[] => [
  route({
    ...endpoints.startOwnLogin,
    access: 'public',
    summary: 'Start a sign-in at an organization’s identity provider: 302 to it',
    limits,
    handle: ({ params, query, http }) =>
      orBackToSignIn(context.log, () => startLogin(context, http, { id: params.id, returnTo: query.return_to })),
  }),
  route({
    ...endpoints.finishOwnLogin,
    access: 'public',
    summary: 'Finish a sign-in at an organization’s identity provider: sets the cookie, 302 to where it was started',
    limits,
    handle: ({ params, query, http }) =>
      orBackToSignIn(context.log, () => finishLogin(context, http, { id: params.id, query })),
  }),
]

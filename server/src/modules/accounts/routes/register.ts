/** Registration, for a person or a company. */
import * as endpoints from '@chancery/contract/endpoints/accounts.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { AccountsContext } from '../context.ts'
import { registerPerson } from '../people/register-person.ts'
import type { CompanyFounder } from '../ports.ts'
import { presentSignedIn } from '../present.ts'

export const registerRoutes = (context: AccountsContext, foundCompany: CompanyFounder): Route[] => [
  route({
    ...endpoints.register,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Register a person, or a company when companyName is given',
    limits: [{ per: 'address', max: 200, windowSec: 3600 }],
    handle: async ({ body: { companyName, ...person }, http }) => {
      const reply =
        companyName === undefined
          ? presentSignedIn(await registerPerson(context, person, http))
          : await foundCompany({ ...person, companyName }, http)
      http.setTokenCookie(reply.token, { expiresAt: reply.expiresAt === null ? null : new Date(reply.expiresAt) })
      return reply
    },
  }),
]

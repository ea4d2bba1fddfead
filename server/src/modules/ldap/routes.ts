/** `/api/org/ldap`: a company's own directory. */
import * as endpoints from '@chancery/contract/endpoints/logins.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { LdapContext } from './context.ts'
import { presentDirectory } from './present.ts'
import { findDirectory } from './queries.ts'
import { removeDirectory, saveDirectory } from './save-directory.ts'
import { testDirectory } from './test-directory.ts'

export const ldapRoutes = (context: LdapContext): Route[] => [
  route({
    ...endpoints.getLdap,
    access: 'orgAdmin',
    summary: "The organization's own directory; its bind password is never shown",
    handle: async ({ actor }) => {
      const row = await findDirectory(context.db, actor)
      if (!row) throw new AppError('ldap_not_configured')
      return presentDirectory(row)
    },
  }),
  route({
    ...endpoints.setLdap,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Set the directory; a blank bind password keeps the stored one',
    limits: [{ per: 'actor', max: 60, windowSec: 3600 }],
    handle: ({ actor, body, http }) => saveDirectory(context, actor, { settings: body, from: http }),
  }),
  route({
    ...endpoints.removeLdap,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Forget the directory',
    handle: ({ actor, http }) => removeDirectory(context, actor, http),
  }),
  route({
    ...endpoints.testLdap,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Try a directory step by step: the given settings, or the saved ones',
    limits: [{ per: 'actor', max: 120, windowSec: 3600 }],
    handle: ({ actor, body }) => testDirectory(context, actor, body),
  }),
]

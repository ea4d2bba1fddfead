/** A person signs in with a passkey alone. */
import * as endpoints from '@chancery/contract/endpoints/factors/people.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { FactorsContext } from '../context.ts'
import { findByPasskey } from '../sign-in-by-passkey.ts'

export const signInRoute = (context: FactorsContext): Route =>
  route({
    ...endpoints.signInByPasskey,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Sign in with a passkey',
    limits: [{ per: 'address', max: 1000, windowSec: 900 }],
    maxBodyBytes: 65_536,
    handle: async ({ body, http }) => {
      const { accounts, db } = context
      const id = await findByPasskey(context, { ...body, kind: 'user', from: http })
      const user = await accounts.users.findByIdUnscoped(db, id)
      const isOpen = user && !(await accounts.logins.findPolicy(user)).refusesPassword
      if (!isOpen) throw new AppError('invalid_passkey')
      return accounts.logins.answer(http, await accounts.logins.complete(user, { from: http, method: 'passkey' }))
    },
  })

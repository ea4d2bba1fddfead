/** An individual signs up and is signed in at once. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import { type AccountsContext, asPrincipal } from '../context.ts'
import { openSession } from '../sessions/open-session.ts'
import { createUser } from './create-user.ts'
import { requireOpenSignUp } from './sign-up.ts'

interface Request {
  name: string
  email: string
  password: string
}

export const registerPerson = async (context: AccountsContext, { name, email, password }: Request, from: Origin) => {
  requireOpenSignUp(context.config, email)
  if ((await context.findLoginPolicy({ email, organizationId: null })).refusesPassword)
    throw new AppError('company_login_required')
  const passwordHash = await context.passwords.hash(password)
  return context.db.transaction().execute(async (tx) => {
    const user = await createUser(context, tx, { name, email, passwordHash, role: 'ROLE_USER', organizationId: null })
    const principal = asPrincipal(user)
    await context.audit.record(tx, { action: 'account.register', by: principal, from })
    return { user, session: await openSession(context, tx, { principal, from, method: 'new' }) }
  })
}

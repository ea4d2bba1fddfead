/** Decides if an address may register by itself. Invitations, company login and platform admins are not affected. */
import { AppError } from '#kernel/errors.ts'
import type { AccountsConfig } from '../config.ts'

export const requireOpenSignUp = (
  { SVC_SIGNUP, SVC_SIGNUP_DOMAINS }: Pick<AccountsConfig, 'SVC_SIGNUP' | 'SVC_SIGNUP_DOMAINS'>,
  email: string,
): void => {
  if (SVC_SIGNUP === 'open') return
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const isListed = SVC_SIGNUP_DOMAINS.some((each) => each.toLowerCase() === domain)
  if (SVC_SIGNUP === 'invite' || !isListed) throw new AppError('signup_closed')
}

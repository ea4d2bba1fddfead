/** Inserts a person. When two requests race for an address, its unique index decides. */

import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { AccountsContext } from '../context.ts'
import { insertUserUnscoped, type UserRow } from '../queries/users.ts'
import { releaseUnprovenUnscoped } from './release-address.ts'

export interface NewUser {
  name: string
  email: string
  /** Null for people who sign in elsewhere. */
  passwordHash: string | null
  role: UserRow['role']
  organizationId: string | null
  /** They came by a link in their mail, or by a login whose provider has verified the address. */
  isEmailProven?: boolean
}

const uniqueViolation = '23505'

export const createUser = async (
  context: Pick<AccountsContext, 'audit' | 'cache' | 'clock' | 'ids' | 'signals'>,
  db: Db,
  { isEmailProven = false, ...user }: NewUser,
): Promise<UserRow> => {
  const { clock, ids } = context
  const now = clock.now()
  if (isEmailProven) await releaseUnprovenUnscoped(context, db, user.email)
  try {
    return await insertUserUnscoped(db, {
      id: ids.next(),
      ...user,
      loginOtp: false,
      lastLoginAt: null,
      emailProvenAt: isEmailProven ? now : null,
      createdAt: now,
    })
  } catch (problem) {
    if ((problem as { code?: unknown }).code === uniqueViolation) throw new AppError('email_taken', { cause: problem })
    throw problem
  }
}

/** Inserts a person. The unique index on the address decides between two who register it at once. */

import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { AccountsContext } from './context.ts'
import { insertUser, type UserRow } from './queries/users.ts'

export interface NewUser {
  name: string
  email: string
  /** Null for people who sign in elsewhere. */
  passwordHash: string | null
  role: UserRow['role']
  organizationId: string | null
}

const uniqueViolation = '23505'

export const createUser = async (
  { clock, ids }: Pick<AccountsContext, 'clock' | 'ids'>,
  db: Db,
  user: NewUser,
): Promise<UserRow> => {
  const row: UserRow = {
    id: ids.next(),
    ...user,
    status: 'ACTIVE',
    loginOtp: false,
    lastLoginAt: null,
    createdAt: clock.now(),
  }
  try {
    await insertUser(db, row)
  } catch (problem) {
    if ((problem as { code?: unknown }).code === uniqueViolation) throw new AppError('email_taken', { cause: problem })
    throw problem
  }
  return row
}

/**
 * Password hashing with BCrypt. Every check costs the same, whether the account exists or not, and only a few run at
 * once, so that a flood of logins cannot take the machine.
 */
import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import bcrypt from 'bcrypt'
import { createConcurrencyLimit } from '#kernel/concurrency-limit.ts'
import { AppError } from '#kernel/errors.ts'
import { isCommonPassword } from './common-passwords.ts'

export interface Passwords {
  /** Refuses the most common passwords, then hashes. */
  hash(password: string): Promise<string>
  /** False for an absent hash too, after the same work. */
  verify(hash: string | null | undefined, password: string): Promise<boolean>
}

const bcryptBytes = 72
/** A label, not a secret: what is stored must outlive the rotation of every key. */
const condensing = 'chancery password'
/** Past this it is kinder to refuse than to let everybody wait for minutes. */
const longestQueue = 256

/** BCrypt reads 72 bytes and no more; longer passwords are condensed first, so that every byte counts. */
const forBcrypt = (password: string): string => {
  const normalised = password.normalize('NFC')
  if (Buffer.byteLength(normalised) <= bcryptBytes) return normalised
  return createHmac('sha384', condensing).update(normalised).digest('base64')
}

export const createPasswords = ({ cost }: { cost: number }): Passwords => {
  const inTurn = createConcurrencyLimit(Math.max(2, availableParallelism() - 1))
  const work = <Result>(job: () => Promise<Result>): Promise<Result> => {
    if (inTurn.waiting() >= longestQueue) throw new AppError('too_many_requests', { retryAfterSec: 10 })
    return inTurn(job)
  }
  const decoy = bcrypt.hash('no account has this password', cost)
  return {
    hash: async (password) => {
      if (isCommonPassword(password)) throw new AppError('password_too_common')
      return work(() => bcrypt.hash(forBcrypt(password), cost))
    },
    verify: async (hash, password) => {
      const against = hash ?? (await decoy)
      const matches = await work(() => bcrypt.compare(forBcrypt(password), against))
      return matches && hash !== null && hash !== undefined
    },
  }
}

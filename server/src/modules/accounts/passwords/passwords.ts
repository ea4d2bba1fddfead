/**
 * Password hashing with BCrypt. Every check costs the same, whether the account exists or not, and only a few run at
 * once, so that a flood of logins cannot take the machine.
 */

import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { normalized } from '@chancery/contract/normalized.ts'
import bcrypt from 'bcrypt'
import { AppError } from '#kernel/errors.ts'
import { aloneOnMachine, type Machine, partOf } from '#kernel/process/machine.ts'
import { createConcurrencyLimit } from '#kernel/turns/concurrency-limit.ts'
import { isCommonPassword } from './common-passwords.ts'

export interface Passwords {
  /** Refuses the most common passwords, then hashes. */
  hash(password: string): Promise<string>
  /**
   * False for an absent hash too, after the same work. `source` is where the guess comes from: one source gets a share of
   * the queue, so that a flood from it does not keep everybody else waiting.
   */
  verify(hash: string | null | undefined, password: string, source?: string): Promise<boolean>
  /** Takes as long as a check, without any work: for a guess whose answer is known already. */
  pretend(): Promise<undefined>
}

const bcryptBytes = 72
/** Of a hash as text, salt included. */
const bcryptLength = 60
/** A label, not a secret: what is stored must outlive the rotation of every key. */
const condensing = 'chancery password'
/** Beyond this a request is refused, since everybody would wait for minutes. */
const longestQueue = 256
const sharePerSource = 32

/** BCrypt reads 72 bytes and no more; longer passwords are condensed first, so that every byte counts. */
const forBcrypt = (password: string): string => {
  const normalised = normalized(password)
  if (Buffer.byteLength(normalised) <= bcryptBytes) return normalised
  return createHmac('sha384', condensing).update(normalised).digest('base64')
}

export const createPasswords = ({ cost, machine = aloneOnMachine }: { cost: number; machine?: Machine }): Passwords => {
  const inTurn = createConcurrencyLimit(partOf(machine, Math.max(2, availableParallelism() - 1)))
  const bySource = new Map<string, number>()
  let usualMs = 0
  const work = async <Result>(job: () => Promise<Result>, source?: string): Promise<Result> => {
    const own = source === undefined ? 0 : (bySource.get(source) ?? 0)
    if (inTurn.waiting() >= longestQueue || own >= sharePerSource)
      throw new AppError('too_many_requests', { retryAfterSec: 10 })
    if (source !== undefined) bySource.set(source, own + 1)
    try {
      return await inTurn(job)
    } finally {
      const left = source === undefined ? 0 : (bySource.get(source) ?? 1) - 1
      if (source !== undefined && left > 0) bySource.set(source, left)
      else if (source !== undefined) bySource.delete(source)
    }
  }
  // A salt without the hash of any password: checking against it costs the same, and making it costs nothing at start.
  const decoy = bcrypt.genSaltSync(cost).padEnd(bcryptLength, '.')
  return {
    hash: async (password) => {
      if (isCommonPassword(password)) throw new AppError('password_too_common')
      return work(() => bcrypt.hash(forBcrypt(password), cost))
    },
    verify: async (hash, password, source) => {
      const against = hash ?? decoy
      const startedAt = performance.now()
      const matches = await work(() => bcrypt.compare(forBcrypt(password), against), source)
      usualMs = performance.now() - startedAt
      return matches && hash !== null && hash !== undefined
    },
    pretend: async () => {
      await sleep(usualMs)
      return undefined
    },
  }
}

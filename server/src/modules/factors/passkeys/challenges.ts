/**
 * The random text that a passkey signs. It names its purpose and its end under a MAC, so that nothing is kept of a question
 * that nobody answers; of an answer that was right its hash is, until the question would have expired.
 */
import { randomBytes } from 'node:crypto'
import { equalsInConstantTime, hashToken, macOf } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import type { FactorsContext } from '../context.ts'
import { useChallengeUnscoped } from '../queries.ts'

const lifeSec = 5 * 60
const nonceBytes = 16
const timeBytes = 6

/** What the answer is for, and whose: an answer to one question is none to another. */
export type Purpose = `${'add' | 'challenge' | 'prove'} ${string}` | 'sign in user' | 'sign in admin'

type Deps = Pick<FactorsContext, 'clock' | 'secrets'>

const sign = ({ secrets }: Deps, head: Buffer, purpose: Purpose): string =>
  macOf(secrets.SVC_SECRET_KEY, 'passkey-challenge', `${purpose} ${head.toString('base64url')}`)

export const newChallenge = (deps: Deps, purpose: Purpose): Uint8Array<ArrayBuffer> => {
  const head = Buffer.alloc(nonceBytes + timeBytes)
  randomBytes(nonceBytes).copy(head)
  head.writeUIntBE(Math.floor(deps.clock.now().getTime() / 1000) + lifeSec, nonceBytes, timeBytes)
  return Uint8Array.from(Buffer.concat([head, Buffer.from(sign(deps, head, purpose), 'base64url')]))
}

export const isOurs = (deps: Deps, challenge: string, purpose: Purpose): boolean => {
  const bytes = Buffer.from(challenge, 'base64url')
  const head = bytes.subarray(0, nonceBytes + timeBytes)
  if (head.length < nonceBytes + timeBytes) return false
  const mac = bytes.subarray(head.length).toString('base64url')
  return (
    equalsInConstantTime(mac, sign(deps, head, purpose)) &&
    head.readUIntBE(nonceBytes, timeBytes) * 1000 > deps.clock.now().getTime()
  )
}

/** False for an answer that was given before. */
export const useChallenge = (tx: Db, challenge: string): Promise<boolean> => {
  const bytes = Buffer.from(challenge, 'base64url')
  const expiresAt = new Date(bytes.readUIntBE(nonceBytes, timeBytes) * 1000)
  return useChallengeUnscoped(tx, { challengeHash: hashToken(bytes.toString('base64url')), expiresAt })
}

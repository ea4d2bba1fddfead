/** Codes of authenticator apps (RFC 6238): six digits, thirty seconds, one step of drift, each step once. */
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import type { Sealer } from '#kernel/crypto/sealer.ts'

const stepSec = 30

export const newSecret = async (): Promise<string> => (await import('otplib')).generateSecret()

export const totpUrl = async (named: { issuer: string; label: string; secret: string }): Promise<string> =>
  (await import('otplib')).generateURI(named)

interface Offered {
  secret: string
  code: string
  now: Date
  /** The newest step that was used. */
  lastStep: number | null
}

/** The step whose code it is; undefined for a wrong code, and for one that was used or is older than that. */
export const stepOfCode = async ({ secret, code, now, lastStep }: Offered): Promise<number | undefined> => {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const { verify } = await import('otplib')
  const epoch = Math.floor(now.getTime() / 1000)
  // A step past the tolerance is refused as an error, not as a wrong code.
  const newest = Math.floor(epoch / stepSec) + 1
  if (lastStep !== null && lastStep >= newest) return undefined
  const result = await verify({
    secret,
    token,
    epoch,
    epochTolerance: stepSec,
    ...(lastStep !== null && { afterTimeStep: lastStep }),
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

const placeOf = storedSeal({ purpose: 'totp', table: 'factors', columns: ['sealed_secret'], by: ['id'] })

export const sealSecret = (sealer: Sealer, factorId: string, secret: string): string =>
  sealer.seal(secret, placeOf(factorId))

export const openSecret = (sealer: Sealer, factorId: string, sealed: string): string =>
  sealer.open(sealed, placeOf(factorId))

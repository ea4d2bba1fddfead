/** Verifies the signatures of deliveries, over the raw bytes and before these are parsed. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { signMessage } from '#kernel/crypto/standard-webhooks.ts'

export interface Delivery {
  header(name: string): string | undefined
  bytes: Buffer
}

interface Proof {
  /** Those that are valid now. */
  secrets: readonly string[]
  now: Date
}

/** Returns the delivery's deduplication key, or undefined when no signature matches. */
type Verify = (delivery: Delivery, proof: Proof) => string | undefined

const windowMs = 5 * 60_000
const maxIdLength = 200
const maxSignatures = 10

const isAmong = (expected: readonly Buffer[], offered: readonly Buffer[]): boolean =>
  expected.some((one) => offered.some((other) => one.length === other.length && timingSafeEqual(one, other)))

/** Standard Webhooks. */
const verifyStandard: Verify = ({ header, bytes }, { secrets, now }) => {
  const id = header('webhook-id') ?? ''
  const timestamp = header('webhook-timestamp') ?? ''
  if (id === '' || id.length > maxIdLength || !/^\d{1,12}$/.test(timestamp)) return undefined
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > windowMs) return undefined
  const offered = (header('webhook-signature') ?? '')
    .split(' ', maxSignatures)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
  const expected = secrets.map((secret) => signMessage(secret, { id, timestamp, bytes }))
  return isAmong(expected, offered) ? id : undefined
}

/**
 * GitHub signs only the body. `X-GitHub-Delivery` isn't signed, so an attacker could replay a delivery with a new one; the
 * body's hash is the key instead. Not the signature: the same body signed with the other valid secret is the same
 * delivery.
 */
const verifyGithub: Verify = ({ header, bytes }, { secrets }) => {
  const signature = header('x-hub-signature-256') ?? ''
  if (!/^sha256=[0-9a-f]{64}$/.test(signature)) return undefined
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(bytes).digest())
  if (!isAmong(expected, [Buffer.from(signature.slice('sha256='.length), 'hex')])) return undefined
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

export const verifiers: Record<'standard' | 'github', Verify> = { standard: verifyStandard, github: verifyGithub }

/** Whether a delivery was signed by somebody who holds the secret. Over the bytes as they came, before they are read. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export interface Delivery {
  header(name: string): string | undefined
  bytes: Buffer
}

interface Proof {
  /** The live ones. */
  secrets: readonly string[]
  now: Date
}

/** Answers what this delivery is known by when it comes again, or undefined where the signature does not hold. */
type Verify = (delivery: Delivery, proof: Proof) => string | undefined

const windowMs = 5 * 60_000
const longestId = 200
const mostSignatures = 10

const isAmong = (expected: readonly Buffer[], offered: readonly Buffer[]): boolean =>
  expected.some((one) => offered.some((other) => one.length === other.length && timingSafeEqual(one, other)))

/** Standard Webhooks: `v1` signs `id.timestamp.body`; both are covered, so neither can be made new by a replay. */
const verifyStandard: Verify = ({ header, bytes }, { secrets, now }) => {
  const id = header('webhook-id') ?? ''
  const timestamp = header('webhook-timestamp') ?? ''
  if (id === '' || id.length > longestId || !/^\d{1,12}$/.test(timestamp)) return undefined
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > windowMs) return undefined
  const offered = (header('webhook-signature') ?? '')
    .split(' ', mostSignatures)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
  const expected = secrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(`${id}.${timestamp}.`)
      .update(bytes)
      .digest(),
  )
  return isAmong(expected, offered) ? id : undefined
}

/**
 * As GitHub signs: the body alone. The name that comes with it, `X-GitHub-Delivery`, is not covered, so whoever caught a
 * delivery could send it again under a new one; what is signed is what names it. Not the signature itself: the same body
 * signed with the other live secret is the same delivery.
 */
const verifyGithub: Verify = ({ header, bytes }, { secrets }) => {
  const signature = header('x-hub-signature-256') ?? ''
  if (!/^sha256=[0-9a-f]{64}$/.test(signature)) return undefined
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(bytes).digest())
  if (!isAmong(expected, [Buffer.from(signature.slice('sha256='.length), 'hex')])) return undefined
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

export const verifiers: Record<'standard' | 'github', Verify> = { standard: verifyStandard, github: verifyGithub }

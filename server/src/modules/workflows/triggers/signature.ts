/** Verifies the signatures of deliveries, over the raw bytes and before these are parsed. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { WebhookScheme } from '@chancery/contract/workflows/triggers.ts'
import { signMessage } from '#kernel/crypto/standard-webhooks.ts'

export interface Delivery {
  header(name: string): string | undefined
  bytes: Buffer
}

interface Proof {
  /** Those that are valid now. */
  secrets: readonly string[]
  now: Date
  /** For the scheme `hmac`, in lower case. */
  signatureHeader?: string
}

/** Returns the delivery's deduplication key, or undefined when no signature matches. */
type Verify = (delivery: Delivery, proof: Proof) => string | undefined

const windowMs = 5 * 60_000
const maxIdLength = 200
const maxSignatures = 10

const isAmong = (expected: readonly Buffer[], offered: readonly Buffer[]): boolean =>
  expected.some((one) => offered.some((other) => one.length === other.length && timingSafeEqual(one, other)))

const isRecent = (seconds: string, now: Date): boolean =>
  /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() - Number(seconds) * 1000) <= windowMs

/** Standard Webhooks. */
const verifyStandard: Verify = ({ header, bytes }, { secrets, now }) => {
  const id = header('webhook-id') ?? ''
  const timestamp = header('webhook-timestamp') ?? ''
  if (id === '' || id.length > maxIdLength || !isRecent(timestamp, now)) return undefined
  const offered = (header('webhook-signature') ?? '')
    .split(' ', maxSignatures)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
  const expected = secrets.map((secret) => signMessage(secret, { id, timestamp, bytes }))
  return isAmong(expected, offered) ? id : undefined
}

/** The key of senders that sign no id: the same body again is the same delivery, under whatever id or signature it comes. */
const keyOfBody = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

interface Claim {
  prefix?: string
  bytes: Buffer
  offered: readonly Buffer[]
}

const verifyBody = ({ prefix = '', bytes, offered }: Claim, { secrets }: Proof): string | undefined => {
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(prefix).update(bytes).digest())
  return isAmong(expected, offered) ? keyOfBody(bytes) : undefined
}

const fromHex = (text: string): Buffer[] => (/^[0-9a-f]{64}$/i.test(text) ? [Buffer.from(text, 'hex')] : [])

/** GitHub signs only the body: `X-GitHub-Delivery` isn't signed, so an attacker could replay a delivery with a new one. */
const verifyGithub: Verify = ({ header, bytes }, proof) => {
  const [, hex = ''] = /^sha256=(.+)$/.exec(header('x-hub-signature-256') ?? '') ?? []
  return verifyBody({ bytes, offered: fromHex(hex) }, proof)
}

/** `Stripe-Signature: t=<seconds>,v1=<hex>,…` over the time and the body. */
const verifyStripe: Verify = ({ header, bytes }, proof) => {
  const parts = (header('stripe-signature') ?? '').split(',', maxSignatures + 1).map((part) => part.trim().split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!isRecent(time, proof.now)) return undefined
  const offered = parts.flatMap(([name, value = '']) => (name === 'v1' ? fromHex(value) : []))
  return verifyBody({ prefix: `${time}.`, bytes, offered }, proof)
}

/** `X-Slack-Signature: v0=<hex>` over the version, the time and the body. */
const verifySlack: Verify = ({ header, bytes }, proof) => {
  const time = header('x-slack-request-timestamp') ?? ''
  const [, hex = ''] = /^v0=(.+)$/.exec(header('x-slack-signature') ?? '') ?? []
  if (!isRecent(time, proof.now)) return undefined
  return verifyBody({ prefix: `v0:${time}:`, bytes, offered: fromHex(hex) }, proof)
}

export const defaultSignatureHeader = 'x-signature'

/** Senders of any other kind that sign the body: in hex or base64, with or without `sha256=`. */
const verifyHmac: Verify = ({ header, bytes }, proof) => {
  const value = (header(proof.signatureHeader ?? defaultSignatureHeader) ?? '').trim().replace(/^sha256=/i, '')
  const offered = /^[A-Za-z0-9+/]{43}=?$/.test(value) ? [Buffer.from(value, 'base64')] : fromHex(value)
  return verifyBody({ bytes, offered }, proof)
}

export const verifiers: Record<WebhookScheme, Verify> = {
  standard: verifyStandard,
  github: verifyGithub,
  stripe: verifyStripe,
  slack: verifySlack,
  hmac: verifyHmac,
}

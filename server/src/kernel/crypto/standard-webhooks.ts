/** Secrets and signatures as standardwebhooks.com has them, for webhooks in and out. */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

interface Message {
  id: string
  /** Seconds since 1970, as in the header. */
  timestamp: string
  bytes: Buffer
}

/** Node takes three times as long to sign with a buffer as with the key made of it. */
const keyOf = (secret: string): KeyObject => createSecretKey(secret.slice('whsec_'.length), 'base64')

/** `v1` signs `id.timestamp.body`, so a replay can't change the id or the time. */
export const signMessage = (secret: string, { id, timestamp, bytes }: Message): Buffer =>
  createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(bytes).digest()

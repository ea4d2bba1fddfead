/**
 * Secrets at rest: AES-256-GCM, bound to where they belong.
 *
 * Text form: `v1.<key id>.<nonce>.<ciphertext and tag>`, each part base64url. The context (say, `ldap:<tenant id>`) is
 * authenticated with the value, so a sealed text copied into another row does not open there. To change the secret, move
 * it to `previous`: old values still open, and `needsReseal` tells which to write again.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import type { SealContext } from './seal-context.ts'

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

interface SealerOptions {
  current: string
  previous: string[]
}

export interface Sealer {
  seal(plain: string, context: SealContext): string
  /** Throws a `SealError` when the value cannot be trusted or its key is gone. */
  open(sealed: string, context: SealContext): string
  needsReseal(sealed: string): boolean
  /** Of all keys it has, the current one first. They are no secret. */
  keyIds: readonly string[]
}

type SealProblem = 'unknown_key' | 'damaged'

/** `unknown_key`: sealed under a secret this process does not have. `damaged`: changed, cut, or of another context. */
export class SealError extends Error {
  readonly problem: SealProblem

  constructor(problem: SealProblem, cause?: unknown) {
    super(
      problem === 'unknown_key'
        ? 'The value was sealed with a key that is not configured.'
        : 'The sealed value was changed or belongs elsewhere.',
      cause === undefined ? undefined : { cause },
    )
    this.name = 'SealError'
    this.problem = problem
  }
}

interface SealingKey {
  id: string
  /** Node takes four times as long to use a key that is a buffer. */
  key: KeyObject
}

export const createSealer = ({ current, previous }: SealerOptions): Sealer => {
  const currentKey = deriveKey(current)
  const keys = new Map([...previous.map(deriveKey), currentKey].map((entry) => [entry.id, entry.key]))
  return {
    seal: (plain, context) => sealWith(currentKey, plain, context),
    open(sealed, context) {
      const parts = readParts(sealed)
      const key = keys.get(parts.keyId)
      if (!key) throw new SealError('unknown_key')
      return openWith(key, parts, context)
    },
    needsReseal: (sealed) => readParts(sealed).keyId !== currentKey.id,
    keyIds: [...new Set([currentKey.id, ...keys.keys()])],
  }
}

const deriveKey = (secret: string): SealingKey => {
  if (secret === '') throw new Error('A sealing secret must not be empty.')
  const derive = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes))
  return { id: derive('seal v1 key id', 6).toString('base64url'), key: createSecretKey(derive('seal v1 key', 32)) }
}

const sealWith = ({ id, key }: SealingKey, plain: string, context: SealContext): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(boundTo(id, context))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [version, id, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
}

interface Parts {
  keyId: string
  nonce: Buffer
  ciphertext: Buffer
  tag: Buffer
}

const openWith = (key: KeyObject, { keyId, nonce, ciphertext, tag }: Parts, context: string): string => {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      .setAAD(boundTo(keyId, context))
      .setAuthTag(tag)
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new SealError('damaged', cause)
  }
}

const boundTo = (keyId: string, context: string): Buffer => Buffer.from(`${version}.${keyId}.${context}`, 'utf8')

const readParts = (sealed: string): Parts => {
  const [foundVersion, keyId, nonceText, bodyText, ...rest] = sealed.split('.')
  if (foundVersion !== version || !keyId || !nonceText || !bodyText || rest.length > 0) throw new SealError('damaged')
  const nonce = decodeExactly(nonceText)
  const body = decodeExactly(bodyText)
  if (nonce.length !== nonceBytes || body.length < tagBytes) throw new SealError('damaged')
  return { keyId, nonce, ciphertext: body.subarray(0, -tagBytes), tag: body.subarray(-tagBytes) }
}

/** Node skips what is not base64url; a text that does not encode back to itself was touched. */
const decodeExactly = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new SealError('damaged')
  return bytes
}

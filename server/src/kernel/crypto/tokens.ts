/** Random secrets, and the ways to recognise one without keeping it. */
import { createHash, createHmac, createSecretKey, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** A secret for a link, a session or a key: URL-safe text of `bytes` random bytes. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/** A code a person types, every digit equally likely; it may start with 0. */
export const randomDigits = (count: number): string =>
  Array.from({ length: count }, () => randomInt(10).toString()).join('')

/**
 * Kept in the database instead of a token: SHA-256, as 64 hexadecimal digits. Only for random tokens; a password needs
 * bcrypt, and a short code needs `macOf`.
 */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/**
 * HMAC-SHA-256 under a key of its own for each purpose, so that a value made for one purpose never passes for another
 * though both come from one secret.
 */
export const macOf = (secret: string, purpose: string, value: string): string => {
  const purposeKey = createSecretKey(createHmac('sha256', secret).update(purpose).digest())
  return createHmac('sha256', purposeKey).update(value).digest('base64url')
}

const comparisonKey = createSecretKey(randomBytes(32))

/** Takes the same time whatever the strings hold; hashing first makes the lengths equal. */
export const equalsInConstantTime = (left: string, right: string): boolean =>
  timingSafeEqual(digestForComparison(left), digestForComparison(right))

const digestForComparison = (text: string): Buffer =>
  createHmac('sha256', comparisonKey).update(text, 'utf16le').digest()

/**
 * A check of a header against one secret, cheap enough for every request: both are laid into bytes of one length, so
 * that the time tells neither where they differ nor how long the secret is.
 */
export const createHeaderCheck = (secret: string): ((given: string) => boolean) => {
  const size = Math.max(512, Buffer.byteLength(secret))
  const [expected, laid] = [Buffer.alloc(size), Buffer.alloc(size)]
  expected.write(secret)
  return (given) => {
    laid.fill(0)
    // Node.js reads every byte of a header as one character.
    laid.write(given, 'latin1')
    return timingSafeEqual(laid, expected) && given.length <= size
  }
}

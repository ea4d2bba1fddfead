/** The key of an encrypted file, found with a password (ISO 32000-2, 7.6.4). Pure. */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { rc4 } from './rc4.ts'

export interface KeyFacts {
  /** 2 to 6. */
  revision: number
  /** In bytes. */
  keyLength: number
  owner: Buffer
  user: Buffer
  ownerKey: Buffer
  userKey: Buffer
  permissions: number
  firstId: Buffer
  encryptsMetadata: boolean
}

/** The user's or the owner's password opens; undefined for any other. */
export const fileKey = (facts: KeyFacts, password: string): Buffer | undefined =>
  facts.revision >= 5
    ? newKey(facts, Buffer.from(password.normalize('NFKC'), 'utf8').subarray(0, 127))
    : oldKey(facts, password)

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const padded = (password: Buffer): Buffer => Buffer.concat([password, padding]).subarray(0, 32)
const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()
const rounds = (start: Buffer, length: number): Buffer => {
  let hash = start
  for (let round = 0; round < 50; round += 1) hash = md5(hash.subarray(0, length))
  return hash
}

const oldKey = (facts: KeyFacts, password: string): Buffer | undefined => {
  const given = Buffer.from(password, 'latin1')
  return userKeyOf(facts, given) ?? userKeyOf(facts, userPassword(facts, given))
}

const userKeyOf = (facts: KeyFacts, password: Buffer): Buffer | undefined => {
  const { revision, keyLength, owner, user, permissions, firstId, encryptsMetadata } = facts
  const bits = Buffer.alloc(4)
  bits.writeInt32LE(permissions | 0)
  const extra = revision >= 4 && !encryptsMetadata ? Buffer.alloc(4, 0xff) : Buffer.alloc(0)
  const hash = md5(padded(password), owner.subarray(0, 32), bits, firstId, extra)
  const key = (revision >= 3 ? rounds(hash, keyLength) : hash).subarray(0, keyLength)
  if (revision === 2) return rc4(key, padding).equals(user.subarray(0, 32)) ? key : undefined
  let check = rc4(key, md5(padding, firstId))
  for (let round = 1; round < 20; round += 1) check = rc4(key.map((byte) => byte ^ round) as Buffer, check)
  return check.equals(user.subarray(0, 16)) ? key : undefined
}

/** The owner's password opens the user's. */
const userPassword = ({ revision, keyLength, owner }: KeyFacts, password: Buffer): Buffer => {
  const hash = md5(padded(password))
  const key = (revision >= 3 ? rounds(hash, 16) : hash).subarray(0, keyLength)
  let found = owner.subarray(0, 32)
  for (let round = revision >= 3 ? 19 : 0; round >= 0; round -= 1)
    found = rc4(key.map((byte) => byte ^ round) as Buffer, found)
  return found
}

const newKey = (facts: KeyFacts, password: Buffer): Buffer | undefined => {
  const { revision, owner, user, ownerKey, userKey } = facts
  const none = Buffer.alloc(0)
  const user48 = user.subarray(0, 48)
  const attempts = [
    { check: user, packed: userKey, more: none },
    { check: owner, packed: ownerKey, more: user48 },
  ]
  for (const { check, packed, more } of attempts) {
    if (!hashOf(revision, password, check.subarray(32, 40), more).equals(check.subarray(0, 32))) continue
    const between = hashOf(revision, password, check.subarray(40, 48), more)
    const cipher = createDecipheriv('aes-256-cbc', between, Buffer.alloc(16)).setAutoPadding(false)
    return Buffer.concat([cipher.update(packed.subarray(0, 32)), cipher.final()])
  }
  return undefined
}

const hashOf = (revision: number, password: Buffer, salt: Buffer, more: Buffer): Buffer => {
  let key = createHash('sha256').update(password).update(salt).update(more).digest()
  if (revision < 6) return key
  for (let round = 0, last = 0; round < 64 || last > round - 32; round += 1) {
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => Buffer.concat([password, key, more])))
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false)
    const mixed = Buffer.concat([cipher.update(repeated), cipher.final()])
    const kind = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = createHash(['sha256', 'sha384', 'sha512'][kind] ?? 'sha256')
      .update(mixed)
      .digest()
    last = mixed.at(-1) ?? 0
  }
  return key.subarray(0, 32)
}

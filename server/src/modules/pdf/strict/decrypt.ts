/** Opens encrypted files with the standard handler, object by object. */
import { createDecipheriv, createHash } from 'node:crypto'
import { fileKey, type KeyFacts } from './file-key.ts'
import { rc4 } from './rc4.ts'
import { type Dict, SyntaxProblem, type Value } from './syntax.ts'
import { bytesOf, entriesOf, itemsOf, nameOf, numberOf, type Resolve } from './values.ts'

/** It needs a password, or another one than it was given. */
export class PasswordProblem extends Error {}

/** An object as it was before it was encrypted. */
export type Decrypt = (id: { number: number; generation: number }, value: Value) => Value

type Cipher = 'none' | 'rc4' | 'aes' | 'aes256'

/** `resolve` answers with objects as they are written. */
export const createDecrypt = (trailer: Dict, resolve: Resolve, password: string | undefined): Decrypt => {
  const given = trailer.get('Encrypt')
  const encrypt = entriesOf(resolve(given))
  if (!encrypt || nameOf(resolve(encrypt.get('Filter'))) !== 'Standard')
    throw new SyntaxProblem('an unknown encryption')
  const { strings, streams } = ciphersOf(numberOf(resolve(encrypt.get('V'))) ?? 0, encrypt, resolve)
  const facts = keyFacts(trailer, encrypt, resolve)
  // A password may be meant for another file: this one may need none.
  const key = fileKey(facts, password ?? '') ?? fileKey(facts, '')
  if (!key) throw new PasswordProblem(password === undefined ? 'It needs a password.' : 'Another password opens it.')
  const own = given?.kind === 'ref' ? given.number : undefined
  return (id, value) => (id.number === own ? value : opened({ key, id, strings, streams, resolve }, value))
}

const keyFacts = (trailer: Dict, encrypt: Dict, resolve: Resolve): KeyFacts => {
  const bytes = (key: string): Buffer => bytesOf(resolve(encrypt.get(key))) ?? Buffer.alloc(0)
  const number = (key: string, otherwise: number): number => numberOf(resolve(encrypt.get(key))) ?? otherwise
  const [version, revision] = [number('V', 0), number('R', 0)]
  if (![1, 2, 4, 5].includes(version) || ![2, 3, 4, 5, 6].includes(revision))
    throw new SyntaxProblem('an unknown encryption')
  const metadata = resolve(encrypt.get('EncryptMetadata'))
  return {
    revision,
    keyLength: version === 1 ? 5 : version === 4 ? 16 : Math.min(16, Math.max(5, number('Length', 40) >> 3)),
    owner: bytes('O'),
    user: bytes('U'),
    ownerKey: bytes('OE'),
    userKey: bytes('UE'),
    permissions: number('P', 0),
    firstId: bytesOf(resolve(itemsOf(resolve(trailer.get('ID')))[0])) ?? Buffer.alloc(0),
    encryptsMetadata: !(metadata?.kind === 'plain' && metadata.text === 'false'),
  }
}

const ciphersOf = (version: number, encrypt: Dict, resolve: Resolve): { strings: Cipher; streams: Cipher } => {
  if (version < 4) return { strings: 'rc4', streams: 'rc4' }
  const filters = entriesOf(resolve(encrypt.get('CF')))
  const cipherOf = (key: string): Cipher => {
    const name = nameOf(resolve(encrypt.get(key))) ?? 'Identity'
    if (name === 'Identity') return 'none'
    const method = nameOf(resolve(entriesOf(resolve(filters?.get(name)))?.get('CFM')))
    const cipher = ({ None: 'none', V2: 'rc4', AESV2: 'aes', AESV3: 'aes256' } as const)[method ?? '']
    if (!cipher) throw new SyntaxProblem('an unknown encryption')
    return cipher
  }
  return { strings: cipherOf('StrF'), streams: cipherOf('StmF') }
}

interface Lock {
  key: Buffer
  id: { number: number; generation: number }
  strings: Cipher
  streams: Cipher
  resolve: Resolve
}

const opened = (lock: Lock, value: Value): Value => {
  if (value.kind === 'plain') {
    const bytes = lock.strings === 'none' ? undefined : bytesOf(value)
    return bytes ? { kind: 'plain', text: `(${decipher(lock, lock.strings, bytes).toString('hex')}` } : value
  }
  if (value.kind === 'array') return { kind: 'array', items: value.items.map((item) => opened(lock, item)) }
  if (value.kind === 'ref') return value
  const type = nameOf(value.entries.get('Type'))
  // Tables are never encrypted.
  if (value.kind === 'stream' && type === 'XRef') return value
  const entries = new Map([...value.entries].map(([key, inner]) => [key, opened(lock, inner)] as const))
  if (value.kind === 'dict') return { kind: 'dict', entries }
  requireNoCrypt(lock, value.entries)
  const isPlain = lock.streams === 'none'
  return { kind: 'stream', entries, data: isPlain ? value.data : decipher(lock, lock.streams, value.data) }
}

/** A filter of its own says that a stream is not encrypted as the others are. */
const requireNoCrypt = ({ resolve }: Lock, entries: Dict): void => {
  const filter = resolve(entries.get('Filter'))
  const names = filter?.kind === 'array' ? filter.items.map((item) => nameOf(resolve(item))) : [nameOf(filter)]
  if (names.includes('Crypt')) throw new SyntaxProblem('a stream that is encrypted on its own')
}

const decipher = ({ key, id }: Lock, cipher: Cipher, data: Buffer): Buffer => {
  if (cipher === 'rc4') return rc4(objectKey(key, id, false), data)
  if (data.length < 32) return Buffer.alloc(0)
  const [name, secret] = cipher === 'aes256' ? ['aes-256-cbc', key] : ['aes-128-cbc', objectKey(key, id, true)]
  try {
    const aes = createDecipheriv(name as 'aes-256-cbc', secret as Buffer, data.subarray(0, 16))
    return Buffer.concat([aes.update(data.subarray(16)), aes.final()])
  } catch {
    throw new SyntaxProblem('it can’t be decrypted')
  }
}

const objectKey = (key: Buffer, { number, generation }: Lock['id'], isAes: boolean): Buffer => {
  const salt = Buffer.from([number, number >> 8, number >> 16, generation, generation >> 8].map((byte) => byte & 0xff))
  const hash = createHash('md5').update(key).update(salt)
  if (isAes) hash.update('sAlT')
  return hash.digest().subarray(0, Math.min(16, key.length + 5))
}

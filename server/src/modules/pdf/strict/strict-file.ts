/**
 * A PDF as all readers understand it, or a refusal: by its tables where they are right, by a search of the whole file
 * where they aren't and nothing is there twice. Pure.
 */
import { type CrossReferences, readCrossReferences } from './cross-references.ts'
import { createDecrypt, type Decrypt } from './decrypt.ts'
import { type FoundObject, readObject } from './objects.ts'
import { type PackedObject, packedIn } from './packed-objects.ts'
import { requireOnce, searchAll } from './search.ts'
import { type Dict, ReadersDisagree, SyntaxProblem, type Value } from './syntax.ts'
import type { Resolve } from './values.ts'

export interface StrictFile {
  trailer: Dict
  isEncrypted: boolean
  /** Undefined: nothing has this number, which reads as null. */
  get(number: number): Value | undefined
  resolve: Resolve
  /** Of all that is listed. */
  numbers(): number[]
}

const headerBytes = 1_024
const maxSteps = 16

/** Throws a `SyntaxProblem`, or a `PasswordProblem` for an encrypted file that this password doesn't open. */
export const openStrict = (whole: Buffer, password?: string): StrictFile => {
  const header = whole.subarray(0, headerBytes).indexOf('%PDF-')
  if (header < 0) throw new SyntaxProblem('there is no header')
  // Some programs count from the header, others from the start of the file.
  for (const file of header > 0 ? [whole, whole.subarray(header)] : [whole]) {
    const tables = usableTables(file)
    if (!tables) continue
    const objects = createObjects(file, tables, password)
    requireOnce(file, tables, objects.at)
    return objects
  }
  return createObjects(whole, searchAll(whole), password)
}

const usableTables = (file: Buffer): CrossReferences | undefined => {
  try {
    const tables = readCrossReferences(file)
    for (const [number, entry] of tables.entries)
      if (entry && 'offset' in entry) requireThere(file, number, entry.offset)
    const root = tables.trailer.get('Root')
    if (root?.kind !== 'ref' || !tables.entries.get(root.number)) throw new SyntaxProblem('it has no root')
    return tables
  } catch (problem) {
    if (!(problem instanceof SyntaxProblem) || problem instanceof ReadersDisagree) throw problem
    return undefined
  }
}

const requireThere = (file: Buffer, number: number, offset: number): void => {
  const [, told] = /^[\0\t\n\f\r ]*(\d{1,10})[\0\t\n\f\r ]/.exec(file.toString('latin1', offset, offset + 32)) ?? []
  if (Number(told) !== number) throw new SyntaxProblem(`object ${number} is elsewhere`)
}

interface Objects extends StrictFile {
  /** Each position is read once. */
  at(offset: number): FoundObject
}

const createObjects = (
  file: Buffer,
  { entries, trailer }: Pick<CrossReferences, 'entries' | 'trailer'>,
  password: string | undefined,
): Objects => {
  let decrypt: Decrypt | undefined
  const decrypted = new Map<number, Value>()
  const byOffset = new Map<number, FoundObject>()
  const packed = new Map<number, PackedObject[]>()
  /** An object that needs itself, as its own length, is refused. */
  const underWay = new Set<number>()
  const at = (offset: number): FoundObject => {
    const known = byOffset.get(offset)
    if (known) return known
    if (underWay.has(offset)) throw new SyntaxProblem('a length that needs itself')
    underWay.add(offset)
    try {
      const found = readObject(file, offset, resolve)
      byOffset.set(offset, found)
      return found
    } finally {
      underWay.delete(offset)
    }
  }
  const packedAt = (stream: number): PackedObject[] => {
    const found = packed.get(stream) ?? packedIn(get(stream), resolve)
    packed.set(stream, found)
    return found
  }
  const get = (number: number): Value | undefined => {
    const entry = entries.get(number)
    if (!entry) return undefined
    if ('stream' in entry) {
      const found = packedAt(entry.stream)[entry.index]
      if (found?.number !== number) throw new SyntaxProblem(`object ${number} is elsewhere`)
      return found.value
    }
    const found = at(entry.offset)
    if (found.number !== number || found.generation !== entry.generation)
      throw new SyntaxProblem(`object ${number} is elsewhere`)
    if (!decrypt) return found.value
    const value = decrypted.get(number) ?? decrypt(found, found.value)
    decrypted.set(number, value)
    return value
  }
  const resolve: Resolve = (value) => {
    let found = value
    for (let steps = 0; found?.kind === 'ref' && steps < maxSteps; steps += 1) {
      const entry = entries.get(found.number)
      if (entry && found.generation !== ('offset' in entry ? entry.generation : 0))
        throw new ReadersDisagree(`object ${found.number} has another generation`)
      found = get(found.number)
    }
    return found?.kind === 'ref' || (found?.kind === 'plain' && found.text === 'null') ? undefined : found
  }
  const isEncrypted = resolve(trailer.get('Encrypt')) !== undefined
  if (isEncrypted) decrypt = createDecrypt(trailer, resolve, password)
  return {
    trailer,
    isEncrypted,
    at,
    get,
    resolve,
    numbers: () => [...entries].flatMap(([number, entry]) => (entry ? [number] : [])),
  }
}

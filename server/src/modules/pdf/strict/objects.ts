/** One object of a file, at the position where it begins. Pure. */
import { type Dict, integerIn, Reader, SyntaxProblem, type Value } from './syntax.ts'
import type { Resolve } from './values.ts'

export interface FoundObject {
  number: number
  generation: number
  value: Value
  /** The position of its first digit. */
  start: number
  end: number
}

const objectHere = /(\d{1,10})[\0\t\n\f\r ]{1,9}(\d{1,5})[\0\t\n\f\r ]{1,9}obj(?![^\0\t\n\f\r /<>[\]()%+\-.\d])/y

/** Throws a `SyntaxProblem`. `resolve` leads to a stream's length where that is an object of its own. */
export const readObject = (file: Buffer, at: number, resolve: Resolve): FoundObject => {
  const reader = new Reader(file, at, 'legal')
  reader.skipSpace()
  const start = reader.at
  const [, number, generation] = reader.expect(objectHere)
  const value = reader.value()
  reader.skipSpace()
  const isStream = value.kind === 'dict' && reader.take(/stream(?:\r\n|\n)/y)
  const content = isStream ? readStream(reader, value.entries, resolve) : value
  reader.skipSpace()
  reader.expect(/endobj(?![^\0\t\n\f\r /<>[\]()%\d])/y)
  return { number: Number(number), generation: Number(generation), value: content, start, end: reader.at }
}

const readStream = (reader: Reader, entries: Dict, resolve: Resolve): Value => {
  const length = integerIn(resolve(entries.get('Length')))
  if (length === undefined) throw new SyntaxProblem('a stream without a length')
  const data = reader.bytes(length)
  reader.expect(/[\0\t\n\f\r ]{0,9}endstream(?![^\0\t\n\f\r /<>[\]()%])/y)
  return { kind: 'stream', entries, data }
}

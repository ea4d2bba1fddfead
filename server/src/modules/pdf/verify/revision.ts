/**
 * One revision of a PDF as it is appended to a file: objects, a plain cross-reference table of exactly these, a trailer.
 * Streams of cross-references or objects, a second table beside the first, and anything between the parts are refused.
 */
import { countObjects } from '../read/count-objects.ts'
import { type Dict, integerIn, Reader, SyntaxProblem, type Value } from '../strict/syntax.ts'

export interface Entry {
  offset: number
  generation: number
}

export interface Revision {
  /** By object number. */
  objects: ReadonlyMap<number, { generation: number; value: Value }>
  tableAt: number
  trailer: Dict
  /** The end of its end mark; a line break may follow. */
  end: number
}

const objectHere = /([1-9]\d{0,9}) (0|[1-9]\d{0,4}) obj(?=[\t\n\r <[(/\d+-])/y
const objectEnd = /endobj(?=[\t\n\r ])/y

/** Throws a `SyntaxProblem` on anything else. */
export const readRevision = (file: Buffer, start: number): Revision => {
  const reader = new Reader(file, start)
  const objects = new Map<number, { generation: number; value: Value }>()
  const offsets = new Map<number, Entry>()
  for (;;) {
    reader.skipSpace()
    const offset = reader.at
    const found = reader.take(objectHere)
    if (!found) break
    const [number, generation] = [Number(found[1]), Number(found[2])]
    if (objects.has(number)) throw new SyntaxProblem(`object ${number} twice`)
    objects.set(number, { generation, value: readContent(reader) })
    offsets.set(number, { offset, generation })
  }
  const tableAt = reader.at
  const { entries, trailer } = readTable(reader)
  requireSame(entries, offsets)
  reader.skipSpace()
  reader.expect(/startxref[\n\r ]{1,2}/y)
  const [told] = reader.expect(/\d{1,10}(?=[\n\r ])/y)
  if (Number(told) !== tableAt) throw new SyntaxProblem('its table is elsewhere')
  reader.expect(/[\n\r ]{1,2}%%EOF/y)
  if (countObjects(file.subarray(start, reader.at)) !== objects.size) throw new SyntaxProblem('an object in another')
  return { objects, tableAt, trailer, end: reader.at }
}

/** The value after `obj`, up to and with `endobj`. */
export const readContent = (reader: Reader): Value => {
  const value = reader.value()
  reader.skipSpace()
  const content = value.kind === 'dict' && reader.take(/stream(?:\r\n|\n)/y) ? readStream(reader, value.entries) : value
  reader.skipSpace()
  reader.expect(objectEnd)
  return content
}

const readStream = (reader: Reader, entries: Dict): Value => {
  const bytes = integerIn(entries.get('Length'))
  if (bytes === undefined) throw new SyntaxProblem('a length')
  const data = reader.bytes(bytes)
  reader.expect(/(?:\r\n|\n|\r)?endstream(?=[\t\n\r ])/y)
  return { kind: 'stream', entries, data }
}

/** A table and the trailer after it. */
export const readTable = (reader: Reader): { entries: Map<number, Entry | undefined>; trailer: Dict } => {
  reader.expect(/xref[\n\r ]{1,2}/y)
  const entries = new Map<number, Entry | undefined>()
  for (let section = reader.take(sectionHere); section; section = reader.take(sectionHere)) {
    const [first, count] = [Number(section[1]), Number(section[2])]
    for (let number = first; number < first + count; number += 1) {
      const [, offset, generation, use] = reader.expect(/(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)/y)
      if (entries.has(number)) throw new SyntaxProblem(`entry ${number} twice`)
      entries.set(number, use === 'n' ? { offset: Number(offset), generation: Number(generation) } : undefined)
    }
  }
  reader.expect(/trailer[\n\r ]{0,2}/y)
  const trailer = reader.value()
  if (trailer.kind !== 'dict') throw new SyntaxProblem('a trailer')
  return { entries, trailer: trailer.entries }
}

const sectionHere = /(\d{1,10}) (\d{1,7})(?: \r\n| \n| \r|\r\n|\n|\r)/y

/** The table lists every object of the revision where it is, and nothing else but the head of the list of free ones. */
const requireSame = (entries: ReadonlyMap<number, Entry | undefined>, offsets: ReadonlyMap<number, Entry>): void => {
  for (const [number, entry] of entries) {
    const offset = offsets.get(number)
    const isHead = number === 0 && !entry
    if (!isHead && (entry?.offset !== offset?.offset || entry?.generation !== offset?.generation || !entry))
      throw new SyntaxProblem(`entry ${number}`)
  }
  for (const number of offsets.keys())
    if (!entries.get(number)) throw new SyntaxProblem(`object ${number} is not listed`)
}

/** Where a file says that its objects are: the chain of its tables and streams, newest first. Pure. */
import { unpack } from './filters.ts'
import { readObject } from './objects.ts'
import { type Dict, integerIn, Reader, ReadersDisagree, SyntaxProblem, type Value } from './syntax.ts'
import { entriesOf, itemsOf, nameOf } from './values.ts'

export type Entry = { offset: number; generation: number } | { stream: number; index: number }

export interface CrossReferences {
  /** Undefined: the object was deleted. */
  entries: Map<number, Entry | undefined>
  trailer: Dict
  /** Everything that a table lists or is, in older revisions too. */
  offsets: Set<number>
}

type Section = Pick<CrossReferences, 'entries' | 'trailer'>

const maxSections = 1_000
const maxNumber = 8_388_607
const endBytes = 2_048
const direct = (value: Value | undefined): Value | undefined => value

/** Throws a `SyntaxProblem`. Offsets count from `file`'s start. */
export const readCrossReferences = (file: Buffer): CrossReferences => {
  const found: CrossReferences = { entries: new Map(), trailer: new Map(), offsets: new Set() }
  const seen = new Set<number>()
  for (let at: number | undefined = startOf(file); at !== undefined; ) {
    if (seen.has(at) || seen.size > maxSections) throw new SyntaxProblem('its tables lead in a circle')
    seen.add(at)
    const { entries, trailer } = readWithHidden(file, at, found.offsets)
    found.offsets.add(at)
    for (const [number, entry] of entries) {
      if (!found.entries.has(number)) found.entries.set(number, entry)
      if (entry && 'offset' in entry) found.offsets.add(entry.offset)
    }
    if (found.trailer.size === 0) found.trailer = trailer
    const before = trailer.get('Prev')
    at = integerIn(before)
    if (before && at === undefined) throw new SyntaxProblem('the table before')
  }
  return found
}

const startOf = (file: Buffer): number => {
  const tail = file.toString('latin1', Math.max(0, file.length - endBytes))
  const told = [...tail.matchAll(/startxref[\0\t\n\f\r ]{1,9}(\d{1,10})[\0\t\n\f\r ]{1,9}%%EOF/g)].at(-1)
  if (!told) throw new SyntaxProblem('its end is missing')
  return Number(told[1])
}

/** A table may point to a stream that lists what older readers needn't see. It must not say otherwise than the table. */
const readWithHidden = (file: Buffer, at: number, offsets: Set<number>): Section => {
  const { entries, trailer } = readSection(file, at)
  const hidden = integerIn(trailer.get('XRefStm'))
  if (hidden === undefined) return { entries, trailer }
  offsets.add(hidden)
  const more = readStream(file, hidden)
  for (const [number, entry] of more.entries) {
    const known = entries.get(number)
    if (known && entry && JSON.stringify(known) !== JSON.stringify(entry))
      throw new ReadersDisagree(`object ${number} is at two positions`)
    if (!known) entries.set(number, entry)
  }
  const [root, other] = [trailer.get('Root'), more.trailer.get('Root')]
  if (root && other && JSON.stringify(root) !== JSON.stringify(other)) throw new ReadersDisagree('it has two roots')
  return { entries, trailer }
}

const readSection = (file: Buffer, at: number): Section => {
  const reader = new Reader(file, at, 'legal')
  reader.skipSpace()
  return reader.take(/xref(?=[\0\t\n\f\r ])/y) ? readTable(reader) : readStream(file, at)
}

const rowHere = /(\d{10}) (\d{5}) ([nf])[\0\t\n\f\r ]{0,3}/y

const readTable = (reader: Reader): Section => {
  const entries: Section['entries'] = new Map()
  reader.skipSpace()
  for (let head = reader.take(headHere); head; head = reader.take(headHere)) {
    const [first, count] = [Number(head[1]), Number(head[2])]
    if (first + count > maxNumber + 1) throw new SyntaxProblem('too many objects')
    for (let number = first; number < first + count; number += 1) {
      const [, offset, generation, use] = reader.expect(rowHere)
      add(
        entries,
        number,
        use === 'n' && Number(offset) > 0 ? { offset: Number(offset), generation: Number(generation) } : undefined,
      )
    }
    reader.skipSpace()
  }
  reader.expect(/trailer/y)
  const trailer = entriesOf(reader.value())
  if (!trailer) throw new SyntaxProblem('a trailer')
  return { entries, trailer }
}

const headHere = /(\d{1,10})[\t ]{1,9}(\d{1,8})[\0\t\n\f\r ]{1,9}/y

const add = (entries: Section['entries'], number: number, entry: Entry | undefined): void => {
  if (entries.has(number) && JSON.stringify(entries.get(number)) !== JSON.stringify(entry))
    throw new ReadersDisagree(`object ${number} is listed twice`)
  entries.set(number, entry)
}

const readStream = (file: Buffer, at: number): Section => {
  const { value } = readObject(file, at, direct)
  if (value.kind !== 'stream' || nameOf(value.entries.get('Type')) !== 'XRef') throw new SyntaxProblem('no table')
  const widths = itemsOf(value.entries.get('W')).map((width) => integerIn(width) ?? -1)
  if (widths.length !== 3 || widths.some((width) => width < 0 || width > 6)) throw new SyntaxProblem('a table')
  const size = integerIn(value.entries.get('Size')) ?? 0
  const index = itemsOf(value.entries.get('Index')).map((one) => integerIn(one) ?? -1)
  return {
    entries: rowsIn(unpack(value, direct), widths, index.length > 0 ? index : [0, size]),
    trailer: value.entries,
  }
}

const rowsIn = (data: Buffer, widths: readonly number[], index: readonly number[]): Section['entries'] => {
  const entries: Section['entries'] = new Map()
  const [kindBytes = 0, firstBytes = 0, secondBytes = 0] = widths
  let at = 0
  const take = (width: number, otherwise: number): number => {
    const value = width === 0 ? otherwise : at + width <= data.length ? data.readUIntBE(at, width) : undefined
    if (value === undefined) throw new SyntaxProblem('a table that ends too early')
    at += width
    return value
  }
  for (let pair = 0; pair < index.length; pair += 2) {
    const [first = -1, count = -1] = [index[pair], index[pair + 1]]
    if (first < 0 || count < 0 || first + count > maxNumber + 1) throw new SyntaxProblem('a table')
    for (let number = first; number < first + count; number += 1) {
      const [kind, one, two] = [take(kindBytes, 1), take(firstBytes, 0), take(secondBytes, 0)]
      if (kind === 1) add(entries, number, one > 0 ? { offset: one, generation: two } : undefined)
      else add(entries, number, kind === 2 ? { stream: one, index: two } : undefined)
    }
  }
  return entries
}

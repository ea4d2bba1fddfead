/**
 * The objects of a file up to a signature, read as strictly as what follows it: by its chain of plain tables alone. A
 * file that can't be read so is none whose updates can be judged.
 */

import { type Dict, integerIn, Reader, SyntaxProblem, type Value } from '../strict/syntax.ts'
import { readContent, readTable } from './revision.ts'

export interface SignedObjects {
  /** The number after the last. */
  size: number
  trailer: Dict
  tableAt: number
  get(number: number): { generation: number; value: Value } | undefined
  numbers(): Iterable<number>
  /** Numbers that something refers to, though no object has them. An update must not make one up. */
  missing: ReadonlySet<number>
}

const maxTables = 100
const allowedInTrailer = new Set(['Size', 'Root', 'Info', 'ID', 'Prev', 'DocChecksum'])

/** Throws a `SyntaxProblem`. `end`: where the part ends. */
export const readSignedObjects = (file: Buffer, end: number): SignedObjects => {
  const part = file.subarray(0, end)
  // Some readers count from the header, others from the start.
  if (part.toString('latin1', 0, 5) !== '%PDF-') throw new SyntaxProblem('the header')
  const tableAt = lastTable(part)
  const { entries, trailers } = readChain(part, tableAt)
  const objects = new Map<number, { generation: number; value: Value }>()
  for (const [number, entry] of entries) {
    if (!entry) continue
    const reader = new Reader(part, entry.offset)
    const [, told, generation] = reader.expect(/(\d{1,10})[\t\n\r ](\d{1,5})[\t\n\r ]obj(?=[\t\n\r <[(/\d+-])/y)
    if (Number(told) !== number || Number(generation) !== entry.generation) throw new SyntaxProblem(`object ${number}`)
    objects.set(number, { generation: entry.generation, value: readContent(reader) })
  }
  const [trailer] = trailers
  const size = integerIn(trailer?.get('Size'))
  if (!trailer || size === undefined) throw new SyntaxProblem('its size')
  for (const number of objects.keys()) if (number >= size) throw new SyntaxProblem('its size')
  const missing = new Set(
    [...objects.values()].flatMap(({ value }) => refsIn(value)).filter((one) => !objects.has(one)),
  )
  return {
    size,
    trailer,
    tableAt,
    get: (number) => objects.get(number),
    numbers: () => objects.keys(),
    missing,
  }
}

const lastTable = (part: Buffer): number => {
  const tail = part.toString('latin1', Math.max(0, part.length - 64))
  const found = /startxref[\n\r ]{1,2}(\d{1,10})[\n\r ]{1,2}%%EOF[\n\r ]{0,2}$/.exec(tail)
  if (!found) throw new SyntaxProblem('the end')
  return Number(found[1])
}

const readChain = (part: Buffer, tableAt: number) => {
  const entries: ReturnType<typeof readTable>['entries'] = new Map()
  const trailers: Dict[] = []
  for (let at: number | undefined = tableAt; at !== undefined; ) {
    const table = readTable(new Reader(part, at))
    for (const [number, entry] of table.entries) if (!entries.has(number)) entries.set(number, entry)
    for (const key of table.trailer.keys())
      if (!allowedInTrailer.has(key)) throw new SyntaxProblem(`the trailer has /${key}`)
    trailers.push(table.trailer)
    if (trailers.length > maxTables) throw new SyntaxProblem('too many tables')
    const before = table.trailer.get('Prev')
    at = integerIn(before)
    if (before !== undefined && at === undefined) throw new SyntaxProblem('the table before')
  }
  return { entries, trailers }
}

const refsIn = (value: Value): number[] => {
  if (value.kind === 'ref') return [value.number]
  if (value.kind === 'array') return value.items.flatMap(refsIn)
  return value.kind === 'plain' ? [] : [...value.entries.values()].flatMap(refsIn)
}

/** Looks for objects in all bytes of a file, as readers do whose tables fail them. Pure. */
import { skipLegalSpace } from './bytes.ts'
import type { CrossReferences, Entry } from './cross-references.ts'
import { type FoundObject, readObject } from './objects.ts'
import { packedIn } from './packed-objects.ts'
import { type Dict, Reader, ReadersDisagree, SyntaxProblem, type Value } from './syntax.ts'
import { entriesOf, nameOf, type Resolve } from './values.ts'

interface Sighting {
  number: number
  start: number
  /** Undefined for one that can't be read. */
  object: FoundObject | undefined
}

/** What is inside of an object, as in a stream, is none. */
function* sightings(file: Buffer, at: (offset: number) => FoundObject): Generator<Sighting> {
  const text = file.toString('latin1')
  const here = /(?<!\d)(\d{1,10})[\0\t\n\f\r ]{1,9}\d{1,5}[\0\t\n\f\r ]{1,9}obj(?![a-z])/g
  for (let found = here.exec(text); found; found = here.exec(text)) {
    const object = attempt(() => at(found.index))
    if (object) here.lastIndex = object.end
    yield { number: Number(found[1]), start: found.index, object }
  }
}

const attempt = <Result>(read: () => Result): Result | undefined => {
  try {
    return read()
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return undefined
    throw problem
  }
}

/** A reader that searches must not find another object under the number of one that is listed. */
export const requireOnce = (
  file: Buffer,
  { entries, offsets }: CrossReferences,
  at: (offset: number) => FoundObject,
): void => {
  const listed = new Set([...offsets].map((offset) => skipLegalSpace(file, offset)))
  for (const { number, start } of sightings(file, at))
    if (entries.get(number) && !listed.has(start))
      throw new ReadersDisagree(`object ${number} is there twice, and once it isn't listed`)
}

const endBytes = 1_024

/** For a file without usable tables: everything is there once, or it is refused. */
export const searchAll = (file: Buffer): Pick<CrossReferences, 'entries' | 'trailer'> => {
  if (!file.subarray(-endBytes).includes('%%EOF')) throw new SyntaxProblem('its end is missing')
  const entries = new Map<number, Entry>()
  const trailers: Dict[] = []
  const streams: FoundObject[] = []
  const read = new Map<number, FoundObject>()
  const resolve = lengthsIn(file)
  const add = (number: number, entry: Entry): void => {
    if (entries.has(number))
      throw new ReadersDisagree(`object ${number} is there twice, and no table tells which is meant`)
    entries.set(number, entry)
  }
  for (const { number, object } of sightings(file, (offset) => readObject(file, offset, resolve))) {
    if (!object) throw new SyntaxProblem(`object ${number} can't be read`)
    const { start, generation, value } = object
    add(number, { offset: start, generation })
    read.set(number, object)
    const type = value.kind === 'stream' ? nameOf(value.entries.get('Type')) : undefined
    if (type === 'XRef') trailers.push(entriesOf(value) ?? new Map())
    if (type === 'ObjStm') streams.push(object)
  }
  const inFile: Resolve = (value) => (value?.kind === 'ref' ? read.get(value.number)?.value : value)
  for (const { number, value } of streams)
    for (const [index, packed] of packedIn(value, inFile).entries()) add(packed.number, { stream: number, index })
  return { entries, trailer: onlyTrailer([...trailers, ...trailersIn(file)]) }
}

/** A stream's length may be an object further on, which must be there once. */
const lengthsIn = (file: Buffer): Resolve => {
  const lengths = new Map<string, string | undefined>()
  const here = /(?<!\d)(\d{1,10} \d{1,5}) obj\s{1,4}(\d{1,10})\s{1,4}endobj/g
  for (const [, id = '', length] of file.toString('latin1').matchAll(here))
    lengths.set(id, lengths.has(id) ? undefined : length)
  return (value: Value | undefined) => {
    const text = value?.kind === 'ref' ? lengths.get(`${value.number} ${value.generation}`) : undefined
    if (value?.kind !== 'ref') return value
    return text === undefined ? undefined : { kind: 'plain', text, integer: Number(text) }
  }
}

const trailersIn = (file: Buffer): Dict[] => {
  const found: Dict[] = []
  for (let at = file.indexOf('trailer'); at >= 0; at = file.indexOf('trailer', at + 7)) {
    const trailer = attempt(() => entriesOf(new Reader(file, at + 7, 'legal').value()))
    if (trailer) found.push(trailer)
  }
  return found
}

const onlyTrailer = (trailers: readonly Dict[]): Dict => {
  const withRoot = trailers.filter((trailer) => trailer.has('Root'))
  const roots = new Set(withRoot.map((trailer) => JSON.stringify(trailer.get('Root'))))
  if (roots.size > 1) throw new ReadersDisagree('it has two roots')
  const [first] = withRoot
  if (!first) throw new SyntaxProblem('it has no root')
  return trailers.find((trailer) => trailer.has('Encrypt')) ?? first
}

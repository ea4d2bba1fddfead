/** The objects inside an object stream. Pure. */
import { unpack } from './filters.ts'
import { integerIn, Reader, ReadersDisagree, SyntaxProblem, type Value } from './syntax.ts'
import { nameOf, type Resolve } from './values.ts'

export interface PackedObject {
  number: number
  value: Value
}

const maxObjects = 1_000_000

export const packedIn = (stream: Value | undefined, resolve: Resolve): PackedObject[] => {
  if (stream?.kind !== 'stream' || nameOf(stream.entries.get('Type')) !== 'ObjStm')
    throw new SyntaxProblem('no stream of objects')
  const count = integerIn(resolve(stream.entries.get('N')))
  const first = integerIn(resolve(stream.entries.get('First')))
  if (count === undefined || first === undefined || count > maxObjects) throw new SyntaxProblem('a stream of objects')
  const data = unpack(stream, resolve)
  const head = new Reader(data.subarray(0, first), 0, 'legal')
  const seen = new Set<number>()
  return Array.from({ length: count }, () => {
    const [number, offset] = [integerIn(head.value()), integerIn(head.value())]
    if (number === undefined || offset === undefined) throw new SyntaxProblem('a stream of objects')
    if (seen.has(number)) throw new ReadersDisagree(`object ${number} is there twice`)
    seen.add(number)
    return { number, value: new Reader(data, first + offset, 'legal').value() }
  })
}

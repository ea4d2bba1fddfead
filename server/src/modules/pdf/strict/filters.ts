/** Unpacks streams. A stream that isn't packed as it says is refused, and so is one that grows without end. Pure. */
import { inflateSync } from 'node:zlib'
import { isLegalSpace } from './bytes.ts'
import { unpackLzw } from './lzw.ts'
import { undoPredictor } from './predictor.ts'
import { SyntaxProblem, type Value } from './syntax.ts'
import { entriesOf, itemsOf, nameOf, numberOf, type Resolve } from './values.ts'

export const maxUnpacked = 256 * 1024 * 1024

const shortNames = new Map(
  Object.entries({
    AHx: 'ASCIIHexDecode',
    A85: 'ASCII85Decode',
    LZW: 'LZWDecode',
    Fl: 'FlateDecode',
    RL: 'RunLengthDecode',
    CCF: 'CCITTFaxDecode',
    DCT: 'DCTDecode',
  }),
)
export const fullFilterName = (name: string): string => shortNames.get(name) ?? name

export interface Filter {
  name: string
  parameters: Value | undefined
}

/** In the order in which they are undone. */
export const filtersOf = (stream: Value, resolve: Resolve): Filter[] => {
  const entries = entriesOf(stream)
  const told = resolve(entries?.get('Filter'))
  const parameters = resolve(entries?.get('DecodeParms'))
  const names = told?.kind === 'array' ? told.items : told ? [told] : []
  return names.map((one, index) => {
    const name = nameOf(resolve(one))
    if (name === undefined) throw new SyntaxProblem('a filter without a name')
    return { name, parameters: resolve(parameters?.kind === 'array' ? itemsOf(parameters)[index] : parameters) }
  })
}

export const unpack = (stream: Value, resolve: Resolve): Buffer => {
  if (stream.kind !== 'stream') throw new SyntaxProblem('no stream')
  return filtersOf(stream, resolve).reduce((data, filter) => undo(data, filter, resolve), stream.data)
}

const undo = (data: Buffer, { name, parameters }: Filter, resolve: Resolve): Buffer => {
  const number = (key: string, otherwise: number): number =>
    numberOf(resolve(entriesOf(parameters)?.get(key))) ?? otherwise
  const predicted = (unpacked: Buffer): Buffer =>
    undoPredictor(unpacked, {
      predictor: number('Predictor', 1),
      colors: number('Colors', 1),
      bits: number('BitsPerComponent', 8),
      columns: number('Columns', 1),
    })
  if (name === 'FlateDecode') return predicted(inflate(data))
  if (name === 'LZWDecode') return predicted(unpackLzw(data, number('EarlyChange', 1) !== 0, maxUnpacked))
  if (name === 'ASCIIHexDecode') return fromHex(data)
  if (name === 'ASCII85Decode') return from85(data)
  if (name === 'RunLengthDecode') return fromRuns(data)
  throw new SyntaxProblem(`the filter ${name.slice(0, 40)}`)
}

const inflate = (data: Buffer): Buffer => {
  try {
    return inflateSync(data, { maxOutputLength: maxUnpacked })
  } catch {
    throw new SyntaxProblem('a stream can’t be unpacked')
  }
}

const fromHex = (data: Buffer): Buffer => {
  const text = data.toString('latin1').replace(/[\0\t\n\f\r ]/g, '')
  const [, digits = ''] = /^([0-9a-f]*)(?:>|$)/i.exec(text) ?? [undefined, 'x']
  if (digits === 'x') throw new SyntaxProblem('hexadecimal data')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

const from85 = (data: Buffer): Buffer => {
  const bytes: number[] = []
  let group: number[] = []
  const flush = (count: number): void => {
    const value = group.reduce((sum, digit) => sum * 85 + digit, 0)
    if (value > 0xffffffff) throw new SyntaxProblem('base 85 data')
    for (let index = 0; index < count; index += 1) bytes.push(Math.floor(value / 256 ** (3 - index)) & 0xff)
    group = []
  }
  for (const byte of data) {
    if (byte === 0x7e) break
    if (isLegalSpace(byte)) continue
    if (byte === 0x7a && group.length === 0) bytes.push(0, 0, 0, 0)
    else if (byte < 0x21 || byte > 0x75) throw new SyntaxProblem('base 85 data')
    else if (group.push(byte - 0x21) === 5) flush(4)
  }
  const left = group.length
  if (left === 1) throw new SyntaxProblem('base 85 data')
  while (left > 0 && group.length < 5) group.push(84)
  if (left > 0) flush(left - 1)
  return Buffer.from(bytes)
}

const fromRuns = (data: Buffer): Buffer => {
  const parts: Buffer[] = []
  for (let at = 0; at < data.length; ) {
    const length = data[at] ?? 128
    if (length === 128) break
    const count = length < 128 ? length + 1 : 1
    const run = data.subarray(at + 1, at + 1 + count)
    if (run.length < count) throw new SyntaxProblem('run length data')
    parts.push(length < 128 ? run : Buffer.alloc(257 - length, run))
    at += 1 + count
  }
  return Buffer.concat(parts)
}

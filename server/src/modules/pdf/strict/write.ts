/** Writes objects and files in the plainest way: one revision, one table, each object once. Pure. */
import { createHash } from 'node:crypto'
import type { StrictFile } from './strict-file.ts'
import { type Dict, SyntaxProblem, type Value } from './syntax.ts'

/** Latin-1 text, one character a byte. A stream's data is not part of it. */
export const written = (value: Value): string => writtenTo(undefined, value)

/** Numbers are rounded to `decimals`, where there are any. */
const writtenTo = (decimals: number | undefined, value: Value): string => {
  if (value.kind === 'plain') return writtenPlain(decimals, value.text)
  if (value.kind === 'ref') return `${value.number} ${value.generation} R`
  if (value.kind === 'array') return `[${value.items.map((item) => writtenTo(decimals, item)).join(' ')}]`
  return writtenDict(decimals, value.entries)
}

const writtenDict = (decimals: number | undefined, entries: Dict): string =>
  `<<${[...entries].map(([key, value]) => `${writtenName(key)} ${writtenTo(decimals, value)}`).join(' ')}>>`

const writtenName = (name: string): string =>
  `/${name.replace(/[^!"$&'*-.0-;=?-Z\\^-z|~]/g, (letter) => `#${letter.charCodeAt(0).toString(16).padStart(2, '0')}`)}`

const writtenPlain = (decimals: number | undefined, text: string): string => {
  if (text.startsWith('/')) return writtenName(text.slice(1))
  if (text.startsWith('(')) return writtenString(Buffer.from(text.slice(1), 'hex').toString('latin1'))
  const isExact = decimals === undefined || !text.includes('.')
  if (/^[a-z]/.test(text) || (isExact && !text.includes('e'))) return text
  // The format knows no exponents.
  const fixed = Number(text).toFixed(decimals ?? 12)
  if (fixed.includes('e')) throw new SyntaxProblem('a number that is too large')
  return fixed.replace(/\.?0+$/, '')
}

const escapes: Record<string, string> = { '(': '\\(', ')': '\\)', '\\': '\\\\', '\r': '\\r' }
const writtenString = (text: string): string => `(${text.replace(/[()\\\r]/g, (letter) => escapes[letter] ?? letter)})`

export interface FileParts {
  /** The first has number 1. */
  objects: readonly Value[]
  root: number
  /** In which titles and dates are. */
  info?: number
}

/** So many has a number that the library writes when it seals: with more, the sealed file would draw something else. */
export const savedDecimals = 5

/** The same objects make the same bytes. */
export const writeFile = ({ objects, root, info }: FileParts): Buffer => {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let position = pieces[0]?.length ?? 0
  const add = (piece: Buffer): void => {
    pieces.push(piece)
    position += piece.length
  }
  const offsets = objects.map((value, index) => {
    const at = position
    add(Buffer.from(`${index + 1} 0 obj\n${writtenTo(savedDecimals, withLength(value))}`, 'latin1'))
    if (value.kind === 'stream') for (const piece of [streamStart, value.data, streamEnd]) add(piece)
    add(objectEnd)
    return at
  })
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  const id = hash.digest('hex').slice(0, 32)
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const more = info === undefined ? '' : ` /Info ${info} 0 R`
  const trailer = `<</Size ${objects.length + 1} /Root ${root} 0 R${more} /ID [<${id}> <${id}>]>>`
  const head = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  pieces.push(Buffer.from(`${head}${rows}trailer\n${trailer}\nstartxref\n${position}\n%%EOF\n`, 'latin1'))
  return Buffer.concat(pieces)
}

const streamStart = Buffer.from('\nstream\n')
const streamEnd = Buffer.from('\nendstream')
const objectEnd = Buffer.from('\nendobj\n')

const withLength = (value: Value): Value => {
  if (value.kind !== 'stream') return value
  const length: Value = { kind: 'plain', text: String(value.data.length) }
  return { ...value, entries: new Map([...value.entries, ['Length', length]]) }
}

/** The same objects under the same numbers, not encrypted and in one revision. */
export const plainCopy = ({ numbers, get, trailer }: Pick<StrictFile, 'numbers' | 'get' | 'trailer'>): Buffer => {
  const all = numbers()
  const objects: Value[] = Array.from({ length: Math.max(0, ...all) }, () => ({ kind: 'plain', text: 'null' }))
  for (const number of all) {
    const value = get(number)
    const type = value?.kind === 'stream' ? value.entries.get('Type') : undefined
    const isTable = type?.kind === 'plain' && (type.text === '/XRef' || type.text === '/ObjStm')
    if (value && !isTable) objects[number - 1] = withoutGenerations(value)
  }
  const root = trailer.get('Root')
  if (root?.kind !== 'ref') throw new SyntaxProblem('its root')
  return writeFile({ objects, root: root.number })
}

const withoutGenerations = (value: Value): Value => {
  if (value.kind === 'plain') return value
  if (value.kind === 'ref') return { ...value, generation: 0 }
  if (value.kind === 'array') return { kind: 'array', items: value.items.map(withoutGenerations) }
  return { ...value, entries: new Map([...value.entries].map(([key, inner]) => [key, withoutGenerations(inner)])) }
}

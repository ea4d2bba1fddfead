/** Reads the instructions of a page, a drawing or a letter, one by one. What readers read differently is refused. Pure. */
import { isLegalSpace } from '../strict/bytes.ts'
import { Reader, SyntaxProblem, type Value } from '../strict/syntax.ts'
import { inlineDataLength } from './inline-data.ts'
import { operandsOf } from './operators.ts'

export type Instruction =
  | { operator: string; operands: Value[] }
  /** A picture between the instructions: its entries with full names, and its bytes. */
  | { operator: 'BI'; operands: []; picture: Extract<Value, { kind: 'stream' }> }

const maxOperands = 64
const letter = /[A-Za-z'"]/

/** `components`: of a colour space that the resources name. */
export function* readContent(
  content: Buffer,
  components: (space: string) => number | undefined,
): Generator<Instruction> {
  const reader = new Reader(content, 0, 'content')
  let operands: Value[] = []
  for (reader.skipSpace(); reader.peek() !== undefined; reader.skipSpace()) {
    if (!letter.test(String.fromCharCode(reader.peek() ?? 0))) {
      operands.push(reader.value())
      continue
    }
    const operator = reader.word()
    if (operator === 'true' || operator === 'false' || operator === 'null')
      operands.push({ kind: 'plain', text: operator })
    else if (operator === 'BI') {
      yield { operator: 'BI', operands: [], picture: readPicture(reader, content, components) }
      operands = []
    } else {
      const needed = operandsOf(operator)
      // Readers skip what they don't know.
      if (needed !== undefined) yield { operator, operands: checked(operator, needed, operands) }
      operands = []
    }
  }
}

/** The last ones, where there are too many. */
const checked = (operator: string, needed: string, operands: Value[]): Value[] => {
  if (operands.length > maxOperands && needed !== '*') throw new SyntaxProblem(`too much before ${operator}`)
  if (needed === '*' || needed === '?') {
    const last = needed === '?' && isKind('N', operands.at(-1)) ? operands.slice(0, -1) : operands
    if (operands.length === 0 || !last.every((one) => isKind('n', one)))
      throw new SyntaxProblem(`what ${operator} needs`)
    return operands
  }
  const taken = operands.slice(operands.length - needed.length)
  if (operands.length < needed.length || !taken.every((one, index) => isKind(needed[index], one)))
    throw new SyntaxProblem(`what ${operator} needs`)
  return needed === '' ? [] : taken
}

const isKind = (kind: string | undefined, value: Value | undefined): boolean => {
  if (kind === 'a')
    return value?.kind === 'array' && value.items.every((item) => isKind('n', item) || isKind('s', item))
  if (kind === 'p') return value?.kind === 'dict' || isKind('N', value)
  if (value?.kind !== 'plain') return false
  if (kind === 'N') return value.text.startsWith('/')
  return kind === 's' ? value.text.startsWith('(') : /^[-\d.]/.test(value.text)
}

const readPicture = (
  reader: Reader,
  content: Buffer,
  components: (space: string) => number | undefined,
): Extract<Value, { kind: 'stream' }> => {
  const entries = new Map<string, Value>()
  for (reader.skipSpace(); reader.peek() === 0x2f; reader.skipSpace()) {
    const key = reader.value()
    if (key.kind === 'plain') entries.set(fullKey(key.text.slice(1)), reader.value())
  }
  if (reader.word() !== 'ID') throw new SyntaxProblem('a picture without data')
  if (isLegalSpace(reader.peek())) reader.at += 1
  const data = reader.bytes(inlineDataLength(content.subarray(reader.at), entries, components))
  reader.skipSpace()
  if (reader.word() !== 'EI') throw new SyntaxProblem('the end of a picture')
  return { kind: 'stream', entries, data }
}

const fullKeys: Record<string, string> = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  W: 'Width',
}
const fullKey = (key: string): string => (Object.hasOwn(fullKeys, key) ? (fullKeys[key] ?? key) : key)

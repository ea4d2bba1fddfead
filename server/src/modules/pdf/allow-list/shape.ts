/** How a kind of object may look: what isn't named doesn't stay. Data, so that one list rebuilds files and judges them. */
import type { Value } from '../strict/syntax.ts'
import type { Resolve } from '../strict/values.ts'

export type Plain = 'name' | 'number' | 'string' | 'bool'

export type Shape =
  | { is: 'plain'; of: readonly Plain[] }
  | { is: 'array'; items: () => Shape }
  /** `rest`: for keys of any name. */
  | { is: 'dict'; keys: Keys; rest?: () => Shape }
  | { is: 'stream'; keys: Keys }
  /** Instructions to draw with, and what they name. */
  | { is: 'drawing'; keys: Keys }
  /** A font whose letters are drawings. */
  | { is: 'letters'; keys: Keys }
  /** Undefined: nothing of this kind may stay. */
  | { is: 'choice'; of: (value: Value, resolve: Resolve) => Shape | undefined }

export type Keys = Readonly<Record<string, () => Shape>>

export const plain = (...of: Plain[]) => {
  const shape: Shape = { is: 'plain', of }
  return (): Shape => shape
}
export const arrayOf = (items: () => Shape) => {
  const shape: Shape = { is: 'array', items }
  return (): Shape => shape
}
export const dictOf = (keys: Keys, rest?: () => Shape) => {
  const shape: Shape = { is: 'dict', keys, ...(rest && { rest }) }
  return (): Shape => shape
}
export const streamOf = (keys: Keys) => {
  const shape: Shape = { is: 'stream', keys: { ...packing, ...keys } }
  return (): Shape => shape
}
export const choice = (of: (value: Value, resolve: Resolve) => Shape | undefined) => {
  const shape: Shape = { is: 'choice', of }
  return (): Shape => shape
}

export const aName = plain('name')
export const aNumber = plain('number')
export const aString = plain('string')
export const aBool = plain('bool')
export const numberList = arrayOf(aNumber)
/** By what it is: a name, a number … or one of these. */
export const either = (
  plainShape: () => Shape,
  { array, dict, stream }: Partial<Record<'array' | 'dict' | 'stream', () => Shape>>,
) =>
  choice((value) => {
    if (value.kind === 'array') return array?.()
    if (value.kind === 'dict') return dict?.()
    return value.kind === 'stream' ? stream?.() : plainShape()
  })

const filterParameters: Keys = {
  ...Object.fromEntries(
    ['Predictor', 'Colors', 'BitsPerComponent', 'Columns', 'EarlyChange', 'K', 'Rows'].map((key) => [key, aNumber]),
  ),
  ...Object.fromEntries(['EndOfLine', 'EncodedByteAlign', 'EndOfBlock', 'BlackIs1'].map((key) => [key, aBool])),
  DamagedRowsBeforeError: aNumber,
  ColorTransform: aNumber,
  JBIG2Globals: () => globals(),
}
const parameters = dictOf(filterParameters)

/** What every stream may have. `F`, which reads another file, isn't in it. */
export const packing: Keys = {
  Length: aNumber,
  Filter: either(aName, { array: arrayOf(aName) }),
  DecodeParms: either(aName, { dict: parameters, array: arrayOf(either(aName, { dict: parameters })) }),
}
const globals = streamOf({})

export const keysOf = (names: string, shape: () => Shape): Keys =>
  Object.fromEntries(names.split(' ').map((one) => [one, shape]))

const kinds = { plain: 'plain', array: 'array', dict: 'dict', letters: 'dict', stream: 'stream', drawing: 'stream' }

/** The shape that a value has; undefined if it has none of this kind. */
export const exactShape = (value: Value, shape: Shape, resolve: Resolve): Shape | undefined => {
  if (shape.is === 'choice') {
    const chosen = shape.of(value, resolve)
    return chosen && exactShape(value, chosen, resolve)
  }
  if (value.kind !== kinds[shape.is]) return undefined
  return shape.is === 'plain' && value.kind === 'plain' && !shape.of.includes(plainKind(value)) ? undefined : shape
}

const plainKind = ({ text }: Extract<Value, { kind: 'plain' }>): Plain => {
  if (text.startsWith('/')) return 'name'
  if (text.startsWith('(')) return 'string'
  return text === 'true' || text === 'false' || text === 'null' ? 'bool' : 'number'
}

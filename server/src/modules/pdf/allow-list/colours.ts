/** Functions, colour spaces, patterns' shadings. */
import type { Value } from '../strict/syntax.ts'
import { entriesOf } from '../strict/values.ts'
import {
  aBool,
  aName,
  aNumber,
  arrayOf,
  choice,
  dictOf,
  either,
  keysOf,
  numberList,
  plain,
  type Shape,
  streamOf,
} from './shape.ts'

const sampled = streamOf({
  ...keysOf('FunctionType BitsPerSample Order', aNumber),
  ...keysOf('Domain Range Size Encode Decode', numberList),
})
const simple = dictOf({
  ...keysOf('FunctionType N', aNumber),
  ...keysOf('Domain Range C0 C1 Bounds Encode', numberList),
  Functions: arrayOf(() => aFunction()),
})
export const aFunction = either(plain(), { stream: sampled, dict: simple })
/** One, or one for each colour. */
export const functions = either(plain(), { stream: sampled, dict: simple, array: arrayOf(aFunction) })

const profile = streamOf({ N: aNumber, Alternate: () => colourSpace(), Range: numberList })
const calibrated = dictOf({
  ...keysOf('WhitePoint BlackPoint Matrix Range', numberList),
  Gamma: either(aNumber, { array: numberList }),
})
const colorants = dictOf({
  Subtype: aName,
  Colorants: dictOf({}, () => colourSpace()),
  Process: dictOf({ ColorSpace: () => colourSpace(), Components: arrayOf(aName) }),
})

const word = plain('name', 'number', 'string')
const table = streamOf({})
const partOfSpace = choice((value): Shape => {
  if (value.kind === 'plain') return word()
  if (value.kind === 'stream') return value.entries.has('N') ? profile() : tableOrFunction(value)
  if (value.kind === 'array') return colourSpace()
  return entriesOf(value)?.has('FunctionType') ? aFunction() : calibratedOrColorants(value)
})
const tableOrFunction = (value: Value): Shape => (entriesOf(value)?.has('FunctionType') ? aFunction() : table())
const calibratedOrColorants = (value: Value): Shape =>
  entriesOf(value)?.has('WhitePoint') ? calibrated() : colorants()

/** A name, or a list that begins with one. The list's other parts may be lists of names or of a space's parts. */
export const colourSpace = either(aName, { array: arrayOf(partOfSpace) })

const shadingKeys = {
  ColorSpace: colourSpace,
  ...keysOf('ShadingType BitsPerCoordinate BitsPerComponent BitsPerFlag VerticesPerRow', aNumber),
  ...keysOf('Background BBox Coords Domain Matrix Decode', numberList),
  AntiAlias: aBool,
  Extend: arrayOf(aBool),
  Function: functions,
}
export const shading = either(plain(), { dict: dictOf(shadingKeys), stream: streamOf(shadingKeys) })

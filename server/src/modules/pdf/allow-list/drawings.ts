/** What a page draws with: pictures, drawings, patterns, states, and the resources that name them. */
import type { Category } from '../content/operators.ts'
import { entriesOf, nameOf, numberOf } from '../strict/values.ts'
import { aFunction, colourSpace, shading } from './colours.ts'
import { font } from './fonts.ts'
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

export const pageGroup = dictOf({ ...keysOf('Type S', aName), CS: colourSpace, ...keysOf('I K', aBool) })

export const picture: () => Shape = streamOf({
  ...keysOf('Type Subtype Intent Name', aName),
  ...keysOf('Width Height BitsPerComponent SMaskInData', aNumber),
  ...keysOf('ImageMask Interpolate', aBool),
  ColorSpace: colourSpace,
  Decode: numberList,
  Mask: either(plain(), { array: numberList, stream: () => picture() }),
  SMask: () => picture(),
  Matte: numberList,
})

const drawing: Shape = {
  is: 'drawing',
  keys: {
    ...keysOf('Type Subtype Name', aName),
    FormType: aNumber,
    ...keysOf('BBox Matrix', numberList),
    Group: pageGroup,
  },
}
export const formDrawing = (): Shape => drawing

export const namedDrawing = choice((value, resolve) => {
  const kind = nameOf(resolve(entriesOf(value)?.get('Subtype')))
  return kind === 'Image' ? picture() : kind === 'Form' ? drawing : undefined
})

const mask = dictOf({
  ...keysOf('Type S', aName),
  G: formDrawing,
  BC: numberList,
  TR: either(aName, { dict: aFunction, stream: aFunction }),
})
const blends = new Set(
  'Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity'.split(
    ' ',
  ),
)
/** By others some readers draw as before, and some as if there were none. */
const blendName = choice((value) => (blends.has(nameOf(value) ?? '') ? aName() : undefined))
const blend = choice((value, resolve) => {
  if (value.kind !== 'array') return blendName()
  return value.items.every((item) => blends.has(nameOf(resolve(item)) ?? '')) ? arrayOf(aName)() : undefined
})
/** Transfer functions and halftones, which some viewers apply and others don't, are none of it. */
const state: () => Shape = dictOf({
  ...keysOf('Type RI', aName),
  ...keysOf('LW LC LJ ML OPM FL SM CA ca', aNumber),
  ...keysOf('OP op SA AIS TK', aBool),
  D: arrayOf(either(aNumber, { array: numberList })),
  Font: arrayOf(either(aNumber, { dict: font })),
  BM: blend,
  SMask: either(aName, { dict: mask }),
})

const tiles: Shape = {
  is: 'drawing',
  keys: {
    Type: aName,
    ...keysOf('PatternType PaintType TilingType XStep YStep', aNumber),
    ...keysOf('BBox Matrix', numberList),
  },
}
const shaded = dictOf({
  Type: aName,
  PatternType: aNumber,
  Matrix: numberList,
  Shading: shading,
  ExtGState: state,
})
const pattern = choice((value, resolve) => {
  const kind = numberOf(resolve(entriesOf(value)?.get('PatternType')))
  return kind === 1 ? tiles : kind === 2 ? shaded() : undefined
})

/** What may stand in each part of the resources. */
export const resourceShapes: Readonly<Record<Category, () => Shape>> = {
  XObject: namedDrawing,
  Font: font,
  ColorSpace: colourSpace,
  Pattern: pattern,
  Shading: shading,
  ExtGState: state,
}

/** Of a page or a drawing. */
export const resources = dictOf({
  ...Object.fromEntries(Object.entries(resourceShapes).map(([key, shape]) => [key, dictOf({}, shape)])),
  ProcSet: arrayOf(aName),
})

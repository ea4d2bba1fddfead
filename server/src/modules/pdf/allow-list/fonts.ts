/** Fonts and all that belongs to them. A font's own program is data: viewers have read strangers' fonts for decades. */
import { entriesOf, nameOf } from '../strict/values.ts'
import {
  aName,
  aNumber,
  arrayOf,
  aString,
  choice,
  dictOf,
  either,
  keysOf,
  numberList,
  plain,
  type Shape,
  streamOf,
} from './shape.ts'

const program = streamOf({ ...keysOf('Length1 Length2 Length3', aNumber), Subtype: aName })
const descriptor = dictOf({
  ...keysOf('Type FontName FontStretch', aName),
  ...keysOf(
    'FontWeight Flags ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth',
    aNumber,
  ),
  ...keysOf('FontFamily CharSet', aString),
  ...keysOf('FontFile FontFile2 FontFile3', program),
  FontBBox: numberList,
  Style: dictOf({ Panose: aString }),
  Lang: aName,
  CIDSet: streamOf({}),
})
const system = dictOf({ ...keysOf('Registry Ordering', aString), Supplement: aNumber })
const charMap: () => Shape = streamOf({
  ...keysOf('Type CMapName', aName),
  CIDSystemInfo: system,
  WMode: aNumber,
  UseCMap: either(aName, { stream: () => charMap() }),
})
const encoding = either(aName, {
  dict: dictOf({ ...keysOf('Type BaseEncoding', aName), Differences: arrayOf(plain('name', 'number')) }),
  stream: charMap,
})
const common = {
  ...keysOf('Type Subtype BaseFont Name', aName),
  Encoding: encoding,
  ToUnicode: either(aName, { stream: charMap }),
}
const widths = arrayOf(either(aNumber, { array: numberList }))
const descendant = dictOf({
  ...common,
  CIDSystemInfo: system,
  FontDescriptor: descriptor,
  ...keysOf('DW', aNumber),
  ...keysOf('W W2', widths),
  DW2: numberList,
  CIDToGIDMap: either(aName, { stream: streamOf({}) }),
})
const simple = dictOf({
  ...common,
  ...keysOf('FirstChar LastChar', aNumber),
  Widths: numberList,
  FontDescriptor: descriptor,
})
const composite = dictOf({ ...common, DescendantFonts: arrayOf(descendant) })
const letters: Shape = {
  is: 'letters',
  keys: {
    ...common,
    ...keysOf('FirstChar LastChar', aNumber),
    ...keysOf('FontBBox FontMatrix Widths', numberList),
    FontDescriptor: descriptor,
  },
}

export const font = choice((value, resolve) => {
  const kind = nameOf(resolve(entriesOf(value)?.get('Subtype')))
  if (kind === 'Type3') return letters
  if (kind === 'Type0') return composite()
  return kind === 'Type1' || kind === 'MMType1' || kind === 'TrueType' ? simple() : undefined
})

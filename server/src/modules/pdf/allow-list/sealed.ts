/** What may stand in a file that is sealed: prepared pages, and what we add to them. */
import { bytesOf } from '../strict/values.ts'
import { about } from './document.ts'
import { pageGroup, resources } from './drawings.ts'
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
  type Shape,
  streamOf,
} from './shape.ts'

const content = streamOf({})
const page: () => Shape = dictOf({
  Type: aName,
  Parent: () => pages(),
  ...keysOf('MediaBox CropBox', numberList),
  ...keysOf('Rotate UserUnit', aNumber),
  Resources: resources,
  Contents: either(aName, { stream: content, array: arrayOf(content) }),
  Group: pageGroup,
  Annots: arrayOf(() => seal()),
})
const pages: () => Shape = dictOf({ Type: aName, Kids: arrayOf(page), Count: aNumber })

const permission = dictOf({ ...keysOf('Type V', aName), P: aNumber })
const signature = dictOf({
  ...keysOf('Type Filter SubFilter', aName),
  ByteRange: numberList,
  ...keysOf('Contents M Name Reason', aString),
  Reference: arrayOf(dictOf({ ...keysOf('Type TransformMethod', aName), TransformParams: permission })),
})
const seal = dictOf({
  ...keysOf('Type Subtype FT', aName),
  T: aString,
  V: signature,
  F: aNumber,
  P: page,
  Rect: numberList,
})

const attached = streamOf({
  ...keysOf('Type Subtype', aName),
  Params: dictOf({ Size: aNumber, ...keysOf('CreationDate ModDate CheckSum', aString) }),
})
const file = dictOf({
  ...keysOf('Type AFRelationship', aName),
  ...keysOf('F UF Desc', aString),
  EF: dictOf(keysOf('F UF', attached)),
})
/** The audit log of the document. */
const ownFiles = new Set(['evidence.json'])
const ownName = choice((value) => (ownFiles.has(String(bytesOf(value))) ? aString() : undefined))
const nameOrFile = choice((value) => (value.kind === 'dict' ? file() : ownName()))

const catalog = dictOf({
  ...keysOf('Type Version', aName),
  Pages: pages,
  Lang: aString,
  ViewerPreferences: dictOf({ Direction: aName }),
  Names: dictOf({ EmbeddedFiles: dictOf({ Names: arrayOf(nameOrFile) }) }),
  AcroForm: dictOf({ Fields: arrayOf(seal), SigFlags: aNumber }),
  Perms: dictOf({ DocMDP: signature }),
})

/** The trailer of the file, from which everything in it is reached. */
export const sealedFile = dictOf({ Root: catalog, Info: about, Size: aNumber, ID: arrayOf(aString) })

/** Refuses pictures that readers unpack or size differently. JPEGs are never unpacked here, so their heads are read. */
import { deflateSync } from 'node:zlib'
import { filtersOf, fullFilterName, maxUnpacked, unpack } from '../strict/filters.ts'
import { ReadersDisagree, type Value } from '../strict/syntax.ts'
import { dict, entriesOf, isTrue, name, numberOf, type Resolve } from '../strict/values.ts'
import { componentsOf } from './components.ts'

type Stream = Extract<Value, { kind: 'stream' }>

interface Size {
  width: number
  height: number
  /** Numbers for each pixel; undefined where the data say. */
  components: number | undefined
}

/** The same picture; with black for data that are missing, which readers fill in each in their own way. */
export const checkPicture = (picture: Stream, resolve: Resolve): Stream => {
  const { entries } = picture
  const at = (key: string): number => numberOf(resolve(entries.get(key))) ?? 0
  const isMask = isTrue(resolve(entries.get('ImageMask')))
  if (isMask && (entries.has('BitsPerComponent') ? at('BitsPerComponent') : 1) !== 1)
    throw new ReadersDisagree('a picture that cuts out and has shades')
  const mask = resolve(entries.get('Mask'))
  if (mask?.kind === 'stream' && !isTrue(resolve(mask.entries.get('ImageMask'))))
    throw new ReadersDisagree('a picture that is cut out by one that has shades')
  const components = isMask ? 1 : componentsOf(entries.get('ColorSpace'), resolve)
  const size: Size = { width: at('Width'), height: at('Height'), components }
  const filters = filtersOf(picture, resolve).map((filter) => fullFilterName(filter.name))
  if (filters.at(-1) === 'DCTDecode') {
    if (isMask) throw new ReadersDisagree('a photograph that cuts out')
    requireJpeg(unpackBefore(picture, resolve), size)
    return picture
  }
  if (filters.some((filter) => coded.has(filter)) || components === undefined) return picture
  return whole(
    picture,
    size.height * Math.ceil((size.width * components * (isMask ? 1 : at('BitsPerComponent'))) / 8),
    resolve,
  )
}

const coded = new Set(['DCTDecode', 'JPXDecode', 'JBIG2Decode', 'CCITTFaxDecode'])

/** A photograph inside of other filters. */
const unpackBefore = (picture: Stream, resolve: Resolve): Buffer => {
  const before = filtersOf(picture, resolve).slice(0, -1)
  return before.reduce((data, filter) => unpack(packedAs(data, filter.name, filter.parameters), resolve), picture.data)
}

const packedAs = (data: Buffer, filter: string, parameters: Value | undefined): Stream => ({
  kind: 'stream',
  data,
  entries: new Map([['Filter', name(filter)], ...(parameters ? [['DecodeParms', parameters] as const] : [])]),
})

const whole = (picture: Stream, needed: number, resolve: Resolve): Stream => {
  if (needed > maxUnpacked) throw new ReadersDisagree('a picture that is too large')
  const filters = filtersOf(picture, resolve)
  // Predictors cost time and don't make data shorter than one byte a row.
  const length = filters.reduce((data, { name: filter, parameters }) => {
    const early = resolve(entriesOf(parameters)?.get('EarlyChange'))
    return unpack(packedAs(data, filter, early && dict({ EarlyChange: early })), resolve)
  }, picture.data).length
  const isPredicted = filters.some(
    ({ parameters }) => (numberOf(resolve(entriesOf(parameters)?.get('Predictor'))) ?? 1) > 2,
  )
  if (length >= needed && !isPredicted) return picture
  const height = numberOf(resolve(picture.entries.get('Height'))) ?? 0
  if (isPredicted && length >= needed + height) return picture
  const data = unpack(picture, resolve)
  if (data.length >= needed) return picture
  const entries = new Map(picture.entries)
  entries.delete('DecodeParms')
  return {
    kind: 'stream',
    entries: entries.set('Filter', name('FlateDecode')),
    data: deflateSync(Buffer.concat([data, Buffer.alloc(needed - data.length)])),
  }
}

/** Baseline, extended and progressive: what all readers know. */
const frames = new Set([0xc0, 0xc1, 0xc2])
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const requireJpeg = (data: Buffer, { width, height, components }: Size): void => {
  const different = new ReadersDisagree('a photograph that isn’t what its file says')
  let known = 0
  for (let at = data.indexOf('\xff\xd8', 0, 'latin1') + 2; at >= 2 && at + 9 < data.length; ) {
    const marker = data[at + 1] ?? 0
    if (data[at] !== 0xff) throw different
    if (marker === 0xff) at += 1
    else if (marker === 0xda) {
      if (known === 1 && data.includes('\xff\xd9', at, 'latin1')) return
      throw different
    } else {
      if (isFrame(marker)) {
        const isRight = data.readUInt16BE(at + 5) === height && data.readUInt16BE(at + 7) === width
        const isUsual = frames.has(marker) && data[at + 4] === 8
        if (!isRight || !isUsual || (components ?? data[at + 9]) !== data[at + 9]) throw different
        known += 1
      }
      at += 2 + data.readUInt16BE(at + 2)
    }
  }
  throw different
}

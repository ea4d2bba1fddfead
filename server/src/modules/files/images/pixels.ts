/** Pure. What the codec leaves to us: cameras that turn a picture by a note in its header, and transparency. */

/** Four bytes each: red, green, blue, opacity. */
export interface Pixels {
  width: number
  height: number
  data: Uint8Array
}

/** JPEG has no transparency; what shows through is white, as on a page. */
export const onWhite = (data: Uint8Array): Uint8Array => {
  const result = new Uint8Array(data.length)
  for (let at = 0; at < data.length; at += 4) {
    const opacity = (data[at + 3] ?? 255) / 255
    for (let part = at; part < at + 3; part += 1)
      result[part] = Math.round((data[part] ?? 0) * opacity + 255 * (1 - opacity))
    result[at + 3] = 255
  }
  return result
}

/** By EXIF's numbers: 1 is upright, 5 to 8 exchange width and height. */
export const turned = ({ width, height, data }: Pixels, orientation: number): Pixels => {
  if (orientation < 2 || orientation > 8) return { width, height, data }
  const isSwapped = orientation >= 5
  const to = { width: isSwapped ? height : width, height: isSwapped ? width : height }
  const from = new Uint32Array(data.slice().buffer)
  const result = new Uint32Array(from.length)
  for (let y = 0; y < to.height; y += 1)
    for (let x = 0; x < to.width; x += 1) {
      const [across, down] = isSwapped ? [y, x] : [x, y]
      const fromX = [2, 3, 7, 8].includes(orientation) ? width - 1 - across : across
      const fromY = [3, 4, 6, 7].includes(orientation) ? height - 1 - down : down
      result[y * to.width + x] = from[fromY * width + fromX] ?? 0
    }
  return { ...to, data: new Uint8Array(result.buffer) }
}

const startOfScan = 0xda
const exifMarker = 0xe1
const orientationTag = 0x0112

/** 1 where a JPEG says nothing, and for every other type. */
export const orientationOf = (bytes: Uint8Array): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return 1
  for (let at = 2; at + 4 <= view.byteLength && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1)
    if (marker === startOfScan) return 1
    if (marker === exifMarker) return readExif(view, at + 4) ?? 1
  }
  return 1
}

const readExif = (view: DataView, at: number): number | undefined => {
  const tiff = at + 6
  if (tiff + 8 > view.byteLength || view.getUint32(at) !== 0x45786966) return undefined
  const isLittle = view.getUint16(tiff) === 0x4949
  const entries = tiff + view.getUint32(tiff + 4, isLittle)
  if (entries + 2 > view.byteLength) return undefined
  const count = view.getUint16(entries, isLittle)
  for (let index = 0; index < count; index += 1) {
    const entry = entries + 2 + index * 12
    if (entry + 12 > view.byteLength) return undefined
    if (view.getUint16(entry, isLittle) === orientationTag) return view.getUint16(entry + 8, isLittle)
  }
  return undefined
}

/** Where the data of a picture inside of a page's instructions ends. Pure. */
import { inflateSync } from 'node:zlib'
import { fullFilterName, maxUnpacked } from '../strict/filters.ts'
import { type Dict, integerIn, SyntaxProblem, type Value } from '../strict/syntax.ts'
import { isTrue, itemsOf, nameOf } from '../strict/values.ts'

const shortSpaces: Record<string, string> = { G: 'DeviceGray', RGB: 'DeviceRGB', CMYK: 'DeviceCMYK', I: 'Indexed' }
export const fullSpace = (space: string): string =>
  Object.hasOwn(shortSpaces, space) ? (shortSpaces[space] ?? space) : space

const deviceComponents: Record<string, number> = { DeviceGray: 1, DeviceRGB: 3, DeviceCMYK: 4, Indexed: 1 }

/** Exact for data as it is and for Flate; other filters end where the next `EI` among text is. */
export const inlineDataLength = (
  rest: Buffer,
  entries: Dict,
  components: (space: string) => number | undefined,
): number => {
  const filter = entries.get('Filter')
  const [first] = filter?.kind === 'array' ? itemsOf(filter) : [filter]
  const name = fullFilterName(nameOf(first) ?? '')
  if (!first) return plainLength(entries, components)
  if (name === 'FlateDecode') return flateLength(rest)
  if (name === 'ASCII85Decode') return endOf(rest, '~>')
  if (name === 'ASCIIHexDecode') return endOf(rest, '>')
  const found = /[\0\t\n\f\r ]EI(?=[\0\t\n\f\r ](?:[\n\r\t -~]{0,15}$|[\n\r\t -~]{15}))/.exec(rest.toString('latin1'))
  if (!found) throw new SyntaxProblem('the end of a picture')
  return found.index
}

const plainLength = (entries: Dict, components: (space: string) => number | undefined): number => {
  const [width, height] = [integerIn(entries.get('Width')), integerIn(entries.get('Height'))]
  const isMask = isTrue(entries.get('ImageMask'))
  const bits = isMask ? 1 : integerIn(entries.get('BitsPerComponent'))
  const space = isMask ? 'DeviceGray' : spaceOf(entries.get('ColorSpace'))
  const count = space === undefined ? undefined : (deviceComponents[space] ?? components(space))
  if (!width || !height || !bits || !count) throw new SyntaxProblem('a picture of an unknown size')
  return height * Math.ceil((width * bits * count) / 8)
}

const spaceOf = (value: Value | undefined): string | undefined => {
  const name = nameOf(value?.kind === 'array' ? value.items[0] : value)
  return name === undefined ? undefined : fullSpace(name)
}

const flateLength = (rest: Buffer): number => {
  try {
    // The types don't know what `info` answers with.
    const { engine } = inflateSync(rest, { info: true, maxOutputLength: maxUnpacked }) as unknown as {
      engine: { bytesWritten: number }
    }
    return engine.bytesWritten
  } catch {
    throw new SyntaxProblem('a picture can’t be unpacked')
  }
}

const endOf = (rest: Buffer, mark: string): number => {
  const at = rest.indexOf(mark)
  if (at < 0) throw new SyntaxProblem('the end of a picture')
  return at + mark.length
}

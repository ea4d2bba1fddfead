/** Reads from a TrueType font's character map which glyph each code point has. For our own font files only. Pure. */

interface TableRange {
  offset: number
  length: number
}

export const tableRange = (head: Buffer, name: string): TableRange => {
  for (let index = 0; index < head.readUInt16BE(4); index += 1) {
    const at = 12 + 16 * index
    if (head.toString('latin1', at, at + 4) === name)
      return { offset: head.readUInt32BE(at + 8), length: head.readUInt32BE(at + 12) }
  }
  throw new Error(`The font has no table ${name}.`)
}

const wholeUnicode = 12
const firstPlane = 4
const blockSize = 256

/** The glyph of a code point; 0 for none. Kept in blocks, since fonts leave most of Unicode out. */
export const readGlyphs = (cmap: Buffer): ((codePoint: number) => number) => {
  const blocks = new Map<number, Uint16Array>()
  const add = (codePoint: number, glyph: number): void => {
    const number = Math.floor(codePoint / blockSize)
    const block = blocks.get(number) ?? new Uint16Array(blockSize)
    blocks.set(number, block)
    block[codePoint % blockSize] = glyph
  }
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4))
    const format = table.readUInt16BE(0)
    if (format === wholeUnicode) readGroups(table, add)
    else if (format === firstPlane) readSegments(table, add)
  }
  return (codePoint) => blocks.get(Math.floor(codePoint / blockSize))?.[codePoint % blockSize] ?? 0
}

type Add = (codePoint: number, glyph: number) => void

const readGroups = (table: Buffer, add: Add): void => {
  for (let group = 0; group < table.readUInt32BE(12); group += 1) {
    const at = 16 + 12 * group
    const first = table.readUInt32BE(at)
    const glyph = table.readUInt32BE(at + 8)
    for (let codePoint = first; codePoint <= table.readUInt32BE(at + 4); codePoint += 1)
      if (glyph + codePoint - first !== 0) add(codePoint, glyph + codePoint - first)
  }
}

const readSegments = (table: Buffer, add: Add): void => {
  const size = table.readUInt16BE(6)
  for (let at = 0; at < size; at += 2) {
    const last = table.readUInt16BE(14 + at)
    const first = table.readUInt16BE(16 + size + at)
    const delta = table.readUInt16BE(16 + 2 * size + at)
    const rangeAt = 16 + 3 * size + at
    const range = table.readUInt16BE(rangeAt)
    for (let codePoint = first; codePoint <= last && codePoint < 0xffff; codePoint += 1) {
      const found = range === 0 ? codePoint : table.readUInt16BE(rangeAt + range + 2 * (codePoint - first))
      const glyph = (found + delta) & 0xffff
      if (found !== 0 && glyph !== 0) add(codePoint, glyph)
    }
  }
}

/** Reads from a TrueType font's character map which code points it has glyphs for. For our own font files only. Pure. */

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

const maxCodePoint = 0x10ffff
const wholeUnicode = 12
const firstPlane = 4

export const readCoverage = (cmap: Buffer): ((codePoint: number) => boolean) => {
  const bits = new Uint8Array((maxCodePoint + 1) / 8)
  const add = (codePoint: number): void => {
    bits[codePoint >> 3] = (bits[codePoint >> 3] ?? 0) | (1 << (codePoint & 7))
  }
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4))
    const format = table.readUInt16BE(0)
    if (format === wholeUnicode) readGroups(table, add)
    else if (format === firstPlane) readSegments(table, add)
  }
  return (codePoint) => codePoint <= maxCodePoint && ((bits[codePoint >> 3] ?? 0) & (1 << (codePoint & 7))) !== 0
}

const readGroups = (table: Buffer, add: (codePoint: number) => void): void => {
  for (let group = 0; group < table.readUInt32BE(12); group += 1) {
    const at = 16 + 12 * group
    const first = table.readUInt32BE(at)
    const glyph = table.readUInt32BE(at + 8)
    for (let codePoint = first; codePoint <= table.readUInt32BE(at + 4); codePoint += 1)
      if (glyph + codePoint - first !== 0) add(codePoint)
  }
}

const readSegments = (table: Buffer, add: (codePoint: number) => void): void => {
  const size = table.readUInt16BE(6)
  for (let at = 0; at < size; at += 2) {
    const last = table.readUInt16BE(14 + at)
    const first = table.readUInt16BE(16 + size + at)
    const delta = table.readUInt16BE(16 + 2 * size + at)
    const rangeAt = 16 + 3 * size + at
    const range = table.readUInt16BE(rangeAt)
    for (let codePoint = first; codePoint <= last && codePoint < 0xffff; codePoint += 1) {
      const found = range === 0 ? codePoint : table.readUInt16BE(rangeAt + range + 2 * (codePoint - first))
      if (found !== 0 && ((found + delta) & 0xffff) !== 0) add(codePoint)
    }
  }
}

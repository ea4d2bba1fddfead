/** LZW as PDF packs with it: codes of 9 to 12 bits, highest bit first. Pure. */
import { SyntaxProblem } from './syntax.ts'

const clear = 256
const end = 257
const most = 4_096

/** `isEarly`: codes grow one entry before they must. */
export const unpackLzw = (data: Buffer, isEarly: boolean, maxBytes: number): Buffer => {
  const table: Buffer[] = Array.from({ length: 258 }, (_, byte) => Buffer.from(byte < 256 ? [byte] : []))
  const parts: Buffer[] = []
  let [held, bits, width, bytes] = [0, 0, 9, 0]
  let before: Buffer | undefined
  for (const byte of data) {
    held = ((held << 8) | byte) & 0xffffff
    bits += 8
    if (bits < width) continue
    bits -= width
    const code = (held >> bits) & ((1 << width) - 1)
    if (code === end) break
    if (code === clear) {
      table.length = 258
      width = 9
      before = undefined
      continue
    }
    const entry =
      table[code] ?? (before && code === table.length ? Buffer.concat([before, before.subarray(0, 1)]) : undefined)
    if (!entry) throw new SyntaxProblem('LZW data')
    bytes += entry.length
    if (bytes > maxBytes) throw new SyntaxProblem('LZW data without end')
    parts.push(entry)
    if (before && table.length < most) table.push(Buffer.concat([before, entry.subarray(0, 1)]))
    before = entry
    const next = table.length + (isEarly ? 1 : 0)
    width = next >= 2_048 ? 12 : next >= 1_024 ? 11 : next >= 512 ? 10 : 9
  }
  return Buffer.concat(parts)
}

/** Rewrites BER with open ends, as some programs write signatures, to the definite lengths that everything else reads. Pure. */
import { encode } from './der.ts'
import { DerError, readDer } from './read-der.ts'

const maxDepth = 16

/** The first value in the bytes, and how many bytes it took. What has a definite length stays as it is. */
export const toDefinite = (bytes: Buffer, depth = 0): { der: Buffer; length: number } => {
  const [tag, length] = bytes
  if (tag === undefined || length !== 0x80) {
    const { raw } = readDer(bytes)
    return { der: raw, length: raw.length }
  }
  if ((tag & 0x20) === 0 || depth === maxDepth) throw new DerError('its end is missing')
  const parts: Buffer[] = []
  let at = 2
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) {
    const part = toDefinite(bytes.subarray(at), depth + 1)
    parts.push(part.der)
    at += part.length
  }
  return { der: encode(tag, Buffer.concat(parts)), length: at + 2 }
}

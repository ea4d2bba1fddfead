/** A file on its way from the child: kept in pieces, hashed as it comes, and completed with its signature. */
import { createHash } from 'node:crypto'
import type { ComposeOutput } from '../child/pdf-child.ts'
import type { SignatureRoom } from '../draw/signature-placeholder.ts'

export interface SignedFile {
  size: number
  /** `tail` is appended. */
  read(tail?: Buffer): AsyncIterable<Uint8Array>
}

export interface UnsignedFile extends ComposeOutput {
  /** SHA-256 of everything but the room for the signature. */
  digest(): Buffer
  /** The signed file, which may be read several times. */
  sign(cms: Buffer): SignedFile
}

export const createUnsigned = (): UnsignedFile => {
  const hash = createHash('sha256')
  const pieces: Buffer[] = []
  let size = 0
  let room: SignatureRoom = { start: 0, end: 0 }

  return {
    onRoom: (given) => {
      room = given
    },
    onBytes: (bytes) => {
      // Cut at the room's two ends, so that what is hashed and what is not never share a piece.
      for (const piece of cutAt(bytes, [room.start - size, room.end - size])) {
        if (size < room.start || size >= room.end) hash.update(piece)
        pieces.push(piece)
        size += piece.length
      }
    },
    digest: () => {
      if (!(room.start > 0 && room.end > room.start + 2 && room.end < size)) throw new Error('The child left no room.')
      return hash.digest()
    },
    sign: (cms) => {
      const digits = room.end - room.start - 2
      const hex = cms.toString('hex')
      if (hex.length > digits) throw new Error(`The signature needs ${hex.length} digits, but there are ${digits}.`)
      const signature = Buffer.from(`<${hex.padEnd(digits, '0')}>`, 'latin1')
      return {
        size,
        async *read(tail) {
          let at = 0
          for (const piece of pieces) {
            const isRoom = at >= room.start && at < room.end
            yield isRoom ? signature.subarray(at - room.start, at - room.start + piece.length) : piece
            at += piece.length
          }
          if (tail) yield tail
        },
      }
    },
  }
}

const cutAt = (bytes: Buffer, positions: readonly number[]): Buffer[] => {
  const inside = positions.filter((at) => at > 0 && at < bytes.length)
  return [0, ...inside].map((from, index) => bytes.subarray(from, inside[index] ?? bytes.length))
}

/**
 * The messages between parent and child: a length (four bytes), a kind (one byte), and that many bytes. Structured
 * messages are JSON, file contents are raw, so that a large file never becomes one string or one buffer.
 */

/** Numbers on the wire. Below 32 the parent speaks, from 32 on the child. */
export const kinds = {
  start: 1,
  body: 2,
  bodyEnd: 3,
  cancel: 4,
  answer: 5,
  ready: 32,
  progress: 33,
  bytes: 34,
  ask: 35,
  done: 36,
  failed: 37,
  /** The child has used up one piece of the body and has room for another. */
  bodyRoom: 38,
} as const

export interface Frame {
  kind: number
  payload: Buffer
}

/** Pieces of a file in either direction are at most this long. */
export const pieceBytes = 64 * 1024
/** The most pieces of the body that are on their way to the child before it has used one. */
export const bodyWindow = 16

const headBytes = 5

export const encodeFrame = (kind: number, payload: Uint8Array): Buffer => {
  const frame = Buffer.allocUnsafe(headBytes + payload.byteLength)
  frame.writeUInt32LE(payload.byteLength, 0)
  frame.writeUInt8(kind, 4)
  frame.set(payload, headBytes)
  return frame
}

export const encodeMessage = (kind: number, message: unknown): Buffer =>
  encodeFrame(kind, Buffer.from(JSON.stringify(message) ?? 'null'))

export const encodeSignal = (kind: number): Buffer => encodeFrame(kind, new Uint8Array())

export class FrameTooLarge extends Error {}

/** Reads frame by frame and no faster than they are taken; a frame above `maxBytes` is refused before it is gathered. */
export async function* readFrames(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Frame> {
  let pieces: Buffer[] = []
  let gathered = 0
  let needed = headBytes
  for await (const piece of source) {
    pieces.push(piece)
    gathered += piece.byteLength
    if (gathered < needed) continue
    let rest = pieces.length === 1 ? piece : Buffer.concat(pieces)
    needed = headBytes
    while (rest.byteLength >= headBytes) {
      const length = rest.readUInt32LE(0)
      if (length > maxBytes) throw new FrameTooLarge(`a message of ${length} bytes`)
      needed = headBytes + length
      if (rest.byteLength < needed) break
      yield { kind: rest.readUInt8(4), payload: rest.subarray(headBytes, needed) }
      rest = rest.subarray(needed)
      needed = headBytes
    }
    pieces = rest.byteLength === 0 ? [] : [rest]
    gathered = rest.byteLength
  }
}

/** A file in pieces that fit into frames. */
export async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source)
    for (let at = 0; at < chunk.byteLength; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes)
}

/**
 * Cuts a stream of server-sent events between frames. Only whole frames come out, so a failure in the middle of a stream
 * can still be reported in a frame of its own. Nearly every piece ends where a frame ends and passes without a copy.
 */
import { MarkRemover } from '../bytes/byte-order-mark.ts'
import { ByteBuffer } from './byte-buffer.ts'

export class SseFrameTooLarge extends Error {
  readonly maxFrameBytes: number

  constructor(maxFrameBytes: number) {
    super(`A server-sent event is larger than ${maxFrameBytes} bytes, or has too many lines.`)
    this.name = 'SseFrameTooLarge'
    this.maxFrameBytes = maxFrameBytes
  }
}

/** A line takes as long to read as a hundred bytes, however short it is. Nobody writes an event of so many. */
const maxFrameLines = 10_000

export class FrameCutter {
  readonly #maxFrameBytes: number
  /** Of what is held. */
  #lines = 0
  readonly #held = new ByteBuffer()
  readonly #mark = new MarkRemover()

  constructor({ maxFrameBytes }: { maxFrameBytes: number }) {
    this.#maxFrameBytes = maxFrameBytes
  }

  /**
   * The frames that are complete by now, or undefined. Throws `SseFrameTooLarge` for a frame that doesn't end, but only
   * when the frames before it have been returned.
   */
  push(received: Buffer): Buffer | undefined {
    const bytes = this.#mark.push(received)
    if (bytes.length === 0) return undefined
    if (this.#held.length > 0) return this.#pushHeld(bytes)
    const end = Math.max(endOfLastFrame(bytes), leadingLineEnds(bytes))
    if (end === bytes.length) return bytes
    this.#hold(bytes.subarray(end))
    if (end > 0) return bytes.subarray(0, end)
    this.#checkSize()
    return undefined
  }

  /** Part of a frame that the sender never finished. Empty afterwards. */
  rest(): Buffer | undefined {
    return this.#held.length === 0 ? undefined : this.#held.take(this.#held.length)
  }

  #pushHeld(bytes: Buffer): Buffer | undefined {
    this.#checkSize()
    // A blank line may have begun in what is held; nothing before that has to be searched again.
    const from = Math.max(0, this.#held.length - 2)
    this.#hold(bytes)
    const end = endOfLastFrame(this.#held.view(from))
    if (end > 0) return this.#take(from + end)
    this.#checkSize()
    return undefined
  }

  #hold(bytes: Buffer): void {
    this.#held.append(bytes)
    this.#lines += lineEndsIn(bytes)
  }

  #take(count: number): Buffer {
    const taken = this.#held.take(count)
    this.#lines = lineEndsIn(this.#held.view())
    return taken
  }

  /** The end of its last line doesn't count: with it alone, the frame may be over. */
  #checkSize(): void {
    if (this.#lines > maxFrameLines) throw new SseFrameTooLarge(this.#maxFrameBytes)
    if (this.#held.length <= this.#maxFrameBytes) return
    if (lengthWithoutLineEnd(this.#held.view()) > this.#maxFrameBytes) throw new SseFrameTooLarge(this.#maxFrameBytes)
  }
}

const lf = 10
const cr = 13

const lineEndsIn = (bytes: Buffer): number => {
  let count = 0
  for (const byte of bytes) if (byte === lf || byte === cr) count += 1
  return count
}

/** One past the last blank line; 0 if there is none. Lines end in \n, \r\n or \r. */
const endOfLastFrame = (bytes: Buffer): number => {
  const { length } = bytes
  if (length >= 2 && bytes[length - 1] === lf && bytes[length - 2] === lf) return length
  return Math.max(endAfter(bytes, '\n\n'), endAfter(bytes, '\n\r'), endAfter(bytes, '\r\r'))
}

const endAfter = (bytes: Buffer, blank: string): number => {
  const at = bytes.lastIndexOf(blank)
  if (at === -1) return 0
  return blank.endsWith('\r') && bytes[at + 2] === lf ? at + 3 : at + 2
}

const lengthWithoutLineEnd = (bytes: Buffer): number => {
  const { length } = bytes
  if (bytes[length - 1] === cr) return length - 1
  if (bytes[length - 1] !== lf) return length
  return bytes[length - 2] === cr ? length - 2 : length - 1
}

/** Blank lines before a frame belong to none, and needn't wait for one. */
const leadingLineEnds = (bytes: Buffer): number => {
  let end = 0
  while (bytes[end] === lf || bytes[end] === cr) end += 1
  return end
}

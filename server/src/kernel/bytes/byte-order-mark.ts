/** The byte order mark of UTF-8 says how to read a text; it is not part of what is read. */
const mark = Buffer.from([0xef, 0xbb, 0xbf])

export const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === mark[0] && bytes[1] === mark[1] && bytes[2] === mark[2] ? bytes.subarray(mark.length) : bytes

/** The same for a stream, wherever the three bytes are cut. */
export class MarkRemover {
  /** Bytes of a mark at the beginning of the stream. */
  #found = 0
  #isPastMark = false

  /** Without the mark. Bytes that may belong to one wait for the next piece. */
  push(bytes: Buffer): Buffer {
    if (this.#isPastMark) return bytes
    const waiting = this.#found
    let at = 0
    while (this.#found < mark.length && at < bytes.length && bytes[at] === mark[this.#found]) {
      this.#found += 1
      at += 1
    }
    if (this.#found === mark.length) {
      this.#isPastMark = true
      return bytes.subarray(at)
    }
    if (at === bytes.length) return bytes.subarray(at)
    this.#isPastMark = true
    return waiting === 0 ? bytes : Buffer.concat([mark.subarray(0, waiting), bytes])
  }
}

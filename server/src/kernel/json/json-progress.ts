/**
 * Tells when a JSON object that comes in pieces is whole: its brackets are closed. Each character is looked at once. To
 * parse what has come with every piece would take minutes for a megabyte of pieces. Pure.
 */
export class JsonProgress {
  #depth = 0
  #isInText = false
  #isEscaped = false
  #isWhole = false

  /** False again for whatever follows but space. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  add(piece: string): void {
    for (let at = 0; at < piece.length; at += 1) this.#read(piece.charCodeAt(at))
  }

  #read(code: number): void {
    if (this.#isInText) this.#readInText(code)
    else if (code > space) this.#readOutside(code)
  }

  #readInText(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === backslash) this.#isEscaped = true
    else if (code === quote) this.#isInText = false
  }

  #readOutside(code: number): void {
    this.#isWhole = false
    if (code === quote) this.#isInText = true
    // [ and {, ] and } differ in one bit.
    else if ((code | 0x20) === 0x7b) this.#depth += 1
    else if ((code | 0x20) === 0x7d) {
      this.#depth -= 1
      this.#isWhole = this.#depth === 0 && code === 0x7d
    }
  }
}

const space = 0x20
const quote = 0x22
const backslash = 0x5c

/** Tells the names of fields that a JSON text has not had before: those take far longer to read than known ones. Pure. */

/** A longer name counts as new each time. */
const longestName = 64
const slots = 1 << 16

export class NewNames {
  readonly #json: string
  /** A bit for each hash. Two names may share one, and the second counts as known then. */
  readonly #seen = new Uint32Array(slots / 32)

  constructor(json: string) {
    this.#json = json
  }

  /** `start` is its opening quote, `end` its closing one. */
  isNew(start: number, end: number): boolean {
    if (end - start > longestName) return true
    let hash = 0
    for (let at = start + 1; at < end; at += 1) hash = (Math.imul(hash, 31) + this.#json.charCodeAt(at)) | 0
    const slot = (Math.imul(hash, 0x9e3779b1) >>> 16) % slots
    const bit = 1 << (slot & 31)
    const word = this.#seen[slot >> 5] ?? 0
    this.#seen[slot >> 5] = word | bit
    return (word & bit) === 0
  }
}

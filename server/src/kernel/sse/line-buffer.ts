/** Bytes of a line whose end has not come yet. Doubles as it grows, so that no byte is copied more than a few times. */
const smallest = 512

export interface LineBuffer {
  readonly length: number
  append(bytes: Uint8Array): void
  /** Everything so far; valid until the next call. The buffer is empty afterwards. */
  take(): Buffer
}

export const createLineBuffer = (): LineBuffer => {
  let store: Buffer | undefined
  let length = 0
  return {
    get length() {
      return length
    },
    append: (bytes) => {
      const needed = length + bytes.length
      if (!store || store.length < needed) {
        const larger = Buffer.allocUnsafe(Math.max(smallest, needed, 2 * (store?.length ?? 0)))
        if (store) store.copy(larger, 0, 0, length)
        store = larger
      }
      store.set(bytes, length)
      length = needed
    },
    take: () => {
      const line = store ? store.subarray(0, length) : Buffer.alloc(0)
      length = 0
      // A single huge line must not hold its memory for as long as the stream lasts.
      if (line.length > 64 * 1024) store = undefined
      return line
    },
  }
}

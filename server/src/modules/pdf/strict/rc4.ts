/** The cipher of old PDFs, which Node doesn't bring. */
export const rc4 = (key: Buffer, data: Buffer): Buffer => {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const swap = (one: number, other: number): void => {
    const held = state[one] ?? 0
    state[one] = state[other] ?? 0
    state[other] = held
  }
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  const out = Buffer.alloc(data.length)
  for (let at = 0, i = 0, j = 0; at < data.length; at += 1) {
    i = (i + 1) & 255
    j = (j + (state[i] ?? 0)) & 255
    swap(i, j)
    out[at] = (data[at] ?? 0) ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0)
  }
  return out
}

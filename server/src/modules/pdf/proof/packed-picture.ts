/**
 * Stands in for a browser's decoder of pictures, which the second reader asks for JPEGs: they stay packed. Comparing a
 * picture's own bytes is exact, and unpacking a long scan takes minutes. The reader looks for it once, when it is loaded.
 */
class PackedPicture {
  readonly #data: Uint8Array

  constructor({ data }: { data: Uint8Array }) {
    this.#data = data
  }

  static isTypeSupported = async (): Promise<boolean> => true

  decode = async () => ({ image: { packed: this.#data, close: nothing } })

  close = nothing
}

const nothing = (): void => undefined

Object.defineProperty(globalThis, 'ImageDecoder', { value: PackedPicture })

/** Of a picture as the reader hands it on: its bytes, packed or not. */
export const packedIn = (picture: object): Uint8Array | undefined =>
  'bitmap' in picture ? (picture.bitmap as { packed?: Uint8Array } | null)?.packed : undefined

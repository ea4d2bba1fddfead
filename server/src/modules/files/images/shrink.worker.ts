/** Makes an image small enough for a model, in the limited child: foreign bytes are decoded here and nowhere else. */
import { createRequire } from 'node:module'
import type { TaskContext } from '#kernel/child/index.ts'
import { onWhite, orientationOf, type Pixels, turned } from './pixels.ts'

interface Image {
  get_width(): number
  get_height(): number
  get_raw_pixels(): Uint8Array
  /** As PNG. */
  get_bytes(): Uint8Array
  get_bytes_jpeg(quality: number): Uint8Array
}

/** The part of the codec that is used. Its own types describe a browser. */
interface Codec {
  PhotonImage: {
    new (pixels: Uint8Array, width: number, height: number): Image
    new_from_byteslice(bytes: Uint8Array): Image
  }
  resize(image: Image, width: number, height: number, filter: number): Image
  SamplingFilter: { Triangle: number }
}

const { PhotonImage, resize, SamplingFilter } = createRequire(import.meta.url)('@silvia-odwyer/photon-node') as Codec

interface Input {
  /** The longer side's limit, in pixels. */
  maxEdge: number
  /** An image of fewer bytes stays as it is, unless a side is too long. */
  maxBytes: number
}

const quality = 85

export const tasks = {
  /** Writes the smaller image and returns its type; null where the image is small enough. */
  shrink: async ({ maxEdge, maxBytes }: Input, { body, write }: TaskContext): Promise<{ type: string | null }> => {
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    const bytes = new Uint8Array(Buffer.concat(pieces))
    const image = PhotonImage.new_from_byteslice(bytes)
    const [width, height] = [image.get_width(), image.get_height()]
    const scale = Math.min(1, maxEdge / Math.max(width, height))
    if (scale === 1 && bytes.length <= maxBytes) return { type: null }
    const sized = (length: number) => Math.max(1, Math.round(length * scale))
    const small = scale === 1 ? image : resize(image, sized(width), sized(height), SamplingFilter.Triangle)
    const pixels = turned(pixelsOf(small), orientationOf(bytes))
    const { type, encoded } = encode(pixels, { isPhoto: isJpeg(bytes), maxBytes })
    await write(Buffer.from(encoded))
    return { type }
  },
}

const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8

const pixelsOf = (image: Image): Pixels => ({
  width: image.get_width(),
  height: image.get_height(),
  data: image.get_raw_pixels(),
})

/** Drawings and screenshots stay sharp, unless that takes too many bytes. */
const encode = (pixels: Pixels, { isPhoto, maxBytes }: { isPhoto: boolean; maxBytes: number }) => {
  const { data, width, height } = pixels
  if (!isPhoto) {
    const encoded = new PhotonImage(data, width, height).get_bytes()
    if (encoded.length <= maxBytes) return { type: 'image/png', encoded }
  }
  return { type: 'image/jpeg', encoded: new PhotonImage(onWhite(data), width, height).get_bytes_jpeg(quality) }
}

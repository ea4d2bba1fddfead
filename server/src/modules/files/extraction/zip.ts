/**
 * Reads zip files by their central directory. The sizes in it are not believed: every entry is inflated up to a limit,
 * and all of them together too, so a bomb fails before it fills memory.
 */
import { inflateRawSync } from 'node:zlib'
import { ExtractionFailure } from './failure.ts'

const maxEntries = 20_000
const maxEntryBytes = 96 * 1024 * 1024
const maxTotalBytes = 256 * 1024 * 1024

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const stored = 0
const deflated = 8

interface Entry {
  method: number
  isEncrypted: boolean
  compressedSize: number
  localOffset: number
}

export class Zip {
  readonly #bytes: Buffer
  readonly #entries = new Map<string, Entry>()
  #inflatedBytes = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    try {
      this.#readDirectory()
    } catch (problem) {
      throw problem instanceof ExtractionFailure ? problem : new ExtractionFailure('broken')
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Undefined where there is no such entry. */
  read(name: string): Buffer | undefined {
    const entry = this.#entries.get(name)
    if (!entry) return undefined
    if (entry.isEncrypted) throw new ExtractionFailure('encrypted')
    const bytes = this.#inflate(entry)
    this.#inflatedBytes += bytes.length
    if (this.#inflatedBytes > maxTotalBytes) throw new ExtractionFailure('too_large')
    return bytes
  }

  text(name: string): string | undefined {
    return this.read(name)?.toString('utf8')
  }

  #readDirectory(): void {
    const bytes = this.#bytes
    // The end record is followed by a comment of at most 64 KiB.
    const from = Math.max(0, bytes.length - 65_557)
    let end = bytes.length - 22
    while (end >= from && bytes.readUInt32LE(end) !== endSignature) end -= 1
    if (end < from) throw new ExtractionFailure('broken')
    const count = bytes.readUInt16LE(end + 10)
    if (count > maxEntries) throw new ExtractionFailure('too_large')
    let at = bytes.readUInt32LE(end + 16)
    for (let index = 0; index < count; index += 1) at = this.#readEntry(at)
  }

  #readEntry(at: number): number {
    const bytes = this.#bytes
    if (bytes.readUInt32LE(at) !== entrySignature) throw new ExtractionFailure('broken')
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    this.#entries.set(name, {
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      compressedSize: bytes.readUInt32LE(at + 20),
      localOffset: bytes.readUInt32LE(at + 42),
    })
    return at + 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }

  #inflate({ method, compressedSize, localOffset }: Entry): Buffer {
    const bytes = this.#bytes
    try {
      if (bytes.readUInt32LE(localOffset) !== localSignature) throw new ExtractionFailure('broken')
      const start = localOffset + 30 + bytes.readUInt16LE(localOffset + 26) + bytes.readUInt16LE(localOffset + 28)
      const content = bytes.subarray(start, start + compressedSize)
      if (method === stored) return content
      if (method === deflated) return inflateRawSync(content, { maxOutputLength: maxEntryBytes })
    } catch (problem) {
      const isTooLarge = (problem as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
      throw new ExtractionFailure(isTooLarge ? 'too_large' : 'broken')
    }
    throw new ExtractionFailure('broken')
  }
}

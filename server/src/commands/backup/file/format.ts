/**
 * The file of a backup: one stream, written once from front to back and read the same way, in bounded memory.
 *
 *     "CHANCERY BACKUP 1\n"
 *     part*: frame(header) frame(content)* frame() frame(trailer)
 *
 * A frame is four bytes of length (big endian) and as many bytes; an empty one ends the content. Header and trailer are
 * JSON. The trailer has the length and SHA-256 of the content, before it was compressed. The last part, `end`, has a MAC
 * over all headers and trailers before it, with a key made of the passphrase: a file that was cut or changed shows.
 */

export const magic = 'CHANCERY BACKUP 1\n'

export const maxFrameBytes = 1024 * 1024
/** What is read as a whole: descriptions and schema, never rows or files. */
export const maxWholeBytes = 64 * 1024 * 1024

export interface PartHeader {
  name: string
  /** Of the content. */
  compression: 'none' | 'zstd'
  /** Of a table: where its rows belong. */
  table?: string
  columns?: string[]
}

export interface PartTrailer {
  bytes: number
  sha256: string
  /** Of a table. */
  rows?: number
}

/** The first part, `about`. */
export interface About {
  format: 1
  /** Of the Chancery that wrote it. */
  release: string
  createdAt: string
  postgres: string
  /** By name, in the order in which they were applied. */
  migrations: string[]
  sealedSecrets: SealedSecrets
}

export interface SealedSecrets {
  /** Of scrypt, which makes the keys of the passphrase. */
  salt: string
  cost: number
  nonce: string
  sealed: string
}

/** The last part, `end`. */
export interface End {
  parts: number
  /** Files that the database names and the store didn't have. */
  missingFiles: number
  mac: string
}

/**
 * The file of a backup, and of an organization's export: one stream, written once from front to back and read the same way, in bounded memory.
 *
 *     "CHANCERY BACKUP 1\n" or "CHANCERY EXPORT 1\n"
 *     part*: frame(header) frame(content)* frame() frame(trailer)
 *
 * A frame is four bytes of length (big endian) and as many bytes; an empty one ends the content. Header and trailer are
 * JSON. The trailer has the length and SHA-256 of the content, before it was compressed. The last part, `end`, has a MAC
 * over all headers and trailers before it, with a key made of the passphrase: a file that was cut or changed shows.
 */

export interface ArchiveKind {
  /** The first bytes; the number is the version of the format. */
  magic: string
  /** As in "The backup is damaged". */
  noun: string
}

export const backupKind: ArchiveKind = { magic: 'CHANCERY BACKUP 1\n', noun: 'backup' }
export const exportKind: ArchiveKind = { magic: 'CHANCERY EXPORT 1\n', noun: 'export' }

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
  /** Of an export: which one, and whether its people keep their passwords. */
  organization?: { id: string; name: string; hasPasswords: boolean }
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

/** Identifiers made by the server: UUID v7, so that rows sort by the time they were made. */
import { randomBytes } from 'node:crypto'

export interface Ids {
  next(): string
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (value: string): boolean => uuidPattern.test(value)

/** RFC 9562 version 7: 48 bits of milliseconds, then 74 random bits. */
export const uuidV7 = (timeMs: number): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(timeMs, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export const systemIds: Ids = { next: () => uuidV7(Date.now()) }

/** Identifiers made by the server: UUID v7, so that rows sort by the time they were made. */
import { randomFillSync } from 'node:crypto'

export interface Ids {
  next(): string
}

/** The id that nothing has. */
export const nilId = '00000000-0000-0000-0000-000000000000'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (value: string): boolean => uuidPattern.test(value)

/** An id as text is written into these bytes, always the same: putting texts together would cost more than all the rest. */
const text = Buffer.from(nilId, 'latin1')
const digits = Buffer.from('0123456789abcdef', 'latin1')
let writtenMs = -1

/** Random bytes are made for many ids at once, and each is used once. */
const randomPerId = 10
const random = Buffer.alloc(randomPerId * 256)
let used = random.length

const writeByte = (place: number, byte: number): void => {
  text[place] = digits[byte >> 4] as number
  text[place + 1] = digits[byte & 0xf] as number
}

/** The beginning of all ids of one millisecond; under load many are made in each. */
const writeTime = (timeMs: number): void => {
  const time = timeMs.toString(16).padStart(12, '0')
  text.write(`${time.slice(0, 8)}-${time.slice(8)}-`, 'latin1')
  writtenMs = timeMs
}

/** RFC 9562 version 7: 48 bits of milliseconds, then 74 random bits beside version and variant. */
export const uuidV7 = (timeMs: number): string => {
  if (timeMs !== writtenMs) writeTime(timeMs)
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const at = (place: number): number => random[used + place] as number
  writeByte(14, 0x70 | (at(0) & 0x0f))
  writeByte(16, at(1))
  writeByte(19, 0x80 | (at(2) & 0x3f))
  writeByte(21, at(3))
  for (let place = 4; place < randomPerId; place += 1) writeByte(16 + place * 2, at(place))
  used += randomPerId
  return text.toString('latin1')
}

export const systemIds: Ids = { next: () => uuidV7(Date.now()) }

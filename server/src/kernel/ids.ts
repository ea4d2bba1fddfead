/** Identifiers made by the server: UUID v7, so that rows sort by the time they were made. */
import { randomUUID } from 'node:crypto'

export interface Ids {
  next(): string
}

/** The id that nothing has. */
export const nilId = '00000000-0000-0000-0000-000000000000'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (value: string): boolean => uuidPattern.test(value)

/** The beginning of all ids of one millisecond; under load many are made in each. */
let last = { timeMs: -1, text: '' }

const timePart = (timeMs: number): string => {
  if (last.timeMs !== timeMs) {
    const time = timeMs.toString(16).padStart(12, '0')
    last = { timeMs, text: `${time.slice(0, 8)}-${time.slice(8)}-7` }
  }
  return last.text
}

/** RFC 9562 version 7: 48 bits of milliseconds, then the 74 random bits of a version 4, which Node makes in batches. */
export const uuidV7 = (timeMs: number): string => timePart(timeMs) + randomUUID().slice(15)

export const systemIds: Ids = { next: () => uuidV7(Date.now()) }

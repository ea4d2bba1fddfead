/** Identifiers made by the server: UUID v7, so that rows sort by the time they were made. */
import { randomUUID } from 'node:crypto'

export interface Ids {
  next(): string
}

/** An id that no row has. */
export const nilId = '00000000-0000-0000-0000-000000000000'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (value: string): boolean => uuidPattern.test(value)

/** As RFC 9562 counts: 26 bits beside version and variant, started at a random value in every millisecond. */
const counterBits = 26
const randomStart = (): number => Number.parseInt(randomUUID().slice(0, 6), 16)

/**
 * Ids that rise, also within a millisecond and when the clock is set back: rows that one process inserts sort in the
 * order in which they were made. The last 48 bits are random, so that the ids of several processes differ.
 */
export const createIds = (nowMs: () => number = Date.now): Ids => {
  let lastMs = 0
  let counter = 0
  /** The time as the id's first digits: written once in a millisecond, since that costs half of an id. */
  let time = ''
  const setTime = (ms: number): void => {
    lastMs = ms
    counter = randomStart()
    const digits = ms.toString(16).padStart(12, '0')
    time = `${digits.slice(0, 8)}-${digits.slice(8)}`
  }
  return {
    next: () => {
      const timeMs = nowMs()
      if (timeMs > lastMs) setTime(timeMs)
      else if (counter + 1 < 2 ** counterBits) counter += 1
      else setTime(lastMs + 1)
      const high = (0x7000 | (counter >>> 14)).toString(16)
      const low = (0x8000 | (counter & 0x3fff)).toString(16)
      return `${time}-${high}-${low}-${randomUUID().slice(24)}`
    },
  }
}

export const systemIds: Ids = createIds()

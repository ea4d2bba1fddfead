/** Identifiers made by the server: UUID v7, so that rows sort by the time they were made. */
import { randomBytes } from 'node:crypto'

export interface Ids {
  next(): string
}

/** An id that no row has. */
export const nilId = '00000000-0000-0000-0000-000000000000'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (value: string): boolean => uuidPattern.test(value)

/** As RFC 9562 counts: 26 bits beside version and variant, started at a random value in every millisecond. */
const counterBits = 26
const lowBits = 14
const lowMask = 2 ** lowBits - 1
const startDigits = 6

const randomBytesPerId = 6
const idsPerRefill = 512

/** Random digits for one id after another, made for many at once: asking for them takes longer than all the rest. */
const createRandomDigits = (): (() => string) => {
  let digits = ''
  let used = 0
  return () => {
    if (used === digits.length) {
      digits = randomBytes(randomBytesPerId * idsPerRefill).toString('hex')
      used = 0
    }
    const from = used
    used += randomBytesPerId * 2
    return digits.slice(from, used)
  }
}

/**
 * Ids that rise, also within a millisecond and when the clock is set back: rows that one process inserts sort in the
 * order in which they were made. The last 48 bits are random, so that the ids of several processes differ.
 */
export const createIds = (nowMs: () => number = Date.now): Ids => {
  const nextDigits = createRandomDigits()
  let lastMs = 0
  let counter = 0
  let time = ''
  /** Time and upper counter bits, which hundreds of ids share under load: writing them takes half of an id's time. */
  let prefix = ''
  const setPrefix = (): void => {
    prefix = `${time}-${(0x7000 | (counter >>> lowBits)).toString(16)}-`
  }
  const setTime = (ms: number): void => {
    lastMs = ms
    counter = Number.parseInt(nextDigits().slice(0, startDigits), 16)
    const digits = ms.toString(16).padStart(12, '0')
    time = `${digits.slice(0, 8)}-${digits.slice(8)}`
    setPrefix()
  }
  const advance = (): void => {
    counter += 1
    if ((counter & lowMask) === 0) setPrefix()
  }
  return {
    next: () => {
      const timeMs = nowMs()
      if (timeMs > lastMs) setTime(timeMs)
      else if (counter + 1 < 2 ** counterBits) advance()
      else setTime(lastMs + 1)
      return `${prefix}${(0x8000 | (counter & lowMask)).toString(16)}-${nextDigits()}`
    },
  }
}

export const systemIds: Ids = createIds()

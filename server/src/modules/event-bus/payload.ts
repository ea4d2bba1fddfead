/** Limits on payloads: JSON of bounded size and depth, within what PostgreSQL can store. */
import { AppError } from '#kernel/errors.ts'

export interface BatchLimits {
  events: number
  /** The limit for all their payloads together. */
  bytes: number
}

/**
 * The most that is stored, dispatched or listed at once. A batch ends with the event that reaches a limit, so memory
 * does not depend on how many or how large the published events are. A single larger event still goes through, alone.
 */
export const batchLimits: BatchLimits = { events: 500, bytes: 4_194_304 }

/** Levels of nested lists and objects. */
const maxDepth = 200

const isWithin = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  if (Array.isArray(value)) {
    for (const inner of value) if (!isWithin(inner, levels - 1)) return false
    return true
  }
  const record = value as Record<string, unknown>
  for (const key in record) if (!isWithin(record[key], levels - 1)) return false
  return true
}

/** The payload as it is stored. */
export const writePayload = (payload: unknown, maxBytes: number): string => {
  if (!isWithin(payload, maxDepth))
    throw new AppError('validation_failed', {
      problems: [{ loc: ['body', 'payload'], msg: `nested deeper than ${maxDepth} levels`, type: 'too_deep' }],
    })
  const json = JSON.stringify(payload ?? null)
  if (Buffer.byteLength(json) > maxBytes)
    throw new AppError('payload_too_large', { detail: `A payload can have at most ${maxBytes} bytes.` })
  return json
}

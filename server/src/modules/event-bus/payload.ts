/** What a payload may be: JSON of bounded size and depth. Beyond that the database itself would give up on it. */
import { AppError } from '#kernel/errors.ts'

/**
 * What is stored, dispatched or listed at once ends with the event that fills so many bytes of payload, though more could
 * be counted: memory then depends on neither the number nor the size of what is published. One event is never too large.
 */
export const batchBytes = 4_194_304

/** Levels of lists and objects within each other. */
const deepest = 200

const isWithin = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  if (Array.isArray(value)) return value.every((inner) => isWithin(inner, levels - 1))
  const record = value as Record<string, unknown>
  for (const key in record) if (!isWithin(record[key], levels - 1)) return false
  return true
}

/** As it is stored. */
export const writePayload = (payload: unknown, maxBytes: number): string => {
  if (!isWithin(payload, deepest))
    throw new AppError('validation_failed', {
      problems: [{ loc: ['body', 'payload'], msg: `nested deeper than ${deepest} levels`, type: 'too_deep' }],
    })
  const json = JSON.stringify(payload ?? null)
  if (Buffer.byteLength(json) > maxBytes)
    throw new AppError('payload_too_large', { detail: `A payload may have at most ${maxBytes} bytes.` })
  return json
}

/** The header `Idempotency-Key`: by it a caller names a request, so that the same one sent again does nothing new. */
import { AppError } from '../errors.ts'

const longest = 200

/** Undefined where none was sent. */
export const readIdempotencyKey = (sent: string | undefined): string | undefined => {
  if (sent === undefined || sent === '') return undefined
  if (sent.length <= longest) return sent
  const problem = { loc: ['header', 'idempotency-key'], msg: `at most ${longest} characters`, type: 'too_big' }
  throw new AppError('validation_failed', { problems: [problem] })
}

/**
 * The trace of a run that publishes by HTTP instead of `emit_event`: which runs led here. It travels in a header, sealed,
 * so that nobody can make one up, and the loop guard sees through our own front door.
 */
import { z } from 'zod'
import type { Sealer } from '#kernel/crypto/sealer.ts'
import { SealError } from '#kernel/crypto/sealer.ts'
import { AppError } from '#kernel/errors.ts'
import type { Cause } from './face.ts'

export const chainHeader = 'x-svc-event-chain'

const context = 'event chain'
const longest = 8000

const SealedCause = z.strictObject({
  runId: z.uuid(),
  hop: z.int().min(1),
  chain: z.array(z.uuid()).max(100),
  rootEventId: z.uuid().nullable(),
})

export const sealChain = (sealer: Sealer, cause: Cause): string => sealer.seal(JSON.stringify(cause), context)

const refusal = () => {
  const msg = 'is not one that this server has sent'
  return new AppError('validation_failed', { problems: [{ loc: ['header', chainHeader], msg, type: 'invalid' }] })
}

/** Undefined without the header. One that is not ours is refused rather than passed over: a lost trace is a lost guard. */
export const openChain = (sealer: Sealer, text: string | undefined): Cause | undefined => {
  if (text === undefined) return undefined
  if (text.length > longest) throw refusal()
  try {
    return SealedCause.parse(JSON.parse(sealer.open(text, context)))
  } catch (problem) {
    if (problem instanceof SealError) throw refusal()
    throw problem
  }
}

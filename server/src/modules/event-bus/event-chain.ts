/**
 * The trace of a run that publishes over HTTP instead of with `emit_event`: which runs led to the event. It travels in a
 * sealed header that cannot be forged, so the loop guard also works through our own API.
 */
import { z } from 'zod'
import { passingSeal } from '#kernel/crypto/seal-context.ts'
import type { Sealer } from '#kernel/crypto/sealer.ts'
import { SealError } from '#kernel/crypto/sealer.ts'
import { AppError } from '#kernel/errors.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import type { Cause } from './interface.ts'

export const chainHeader = 'x-svc-event-chain'

const context = passingSeal('event chain')
const maxLength = 8000

const SealedCause = z.strictObject({
  runId: z.uuid(),
  hop: z.int().min(1),
  chain: z.array(z.uuid()).max(100),
  rootEventId: z.uuid().nullable(),
})

export const sealChain = (sealer: Sealer, cause: Cause): string => sealer.seal(JSON.stringify(cause), context)

const refusal = () => {
  const msg = 'was not issued by this server'
  return new AppError('validation_failed', { problems: [{ loc: ['header', chainHeader], msg, type: 'invalid' }] })
}

/** Undefined without the header. A forged one is refused, not ignored: without the trace the loop guard is blind. */
export const openChain = (sealer: Sealer, text: string | undefined): Cause | undefined => {
  if (text === undefined) return undefined
  if (text.length > maxLength) throw refusal()
  try {
    return SealedCause.parse(parseOwn(sealer.open(text, context)))
  } catch (problem) {
    if (problem instanceof SealError) throw refusal()
    throw problem
  }
}

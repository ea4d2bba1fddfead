/**
 * Asks a model a real question through the whole pipeline and tells how long it took. Nothing is stored; tokens count as
 * the caller's. What a monitor should wake somebody for comes back as a report, the caller's own mistakes are thrown.
 */
import type { DeepCheckReport } from '@chancery/contract/platform/health.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { asAppError } from '#kernel/http/replies/error-reply.ts'
import { type CompletionOutcome, type Completions, deltaOf } from '#modules/completions/index.ts'

const question = 'This is a check that you are reachable. Reply with the single word OK.'
const timeLimitMs = 20_000
const longestReply = 200

export interface DeepCheck {
  report: DeepCheckReport
  failure?: AppError
}

export const deepCheck = async (
  completions: Pick<Completions, 'complete'>,
  actor: Actor,
  { model, signal }: { model: string; signal: AbortSignal },
): Promise<DeepCheck> => {
  const startedAt = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startedAt)
  const timeUp = AbortSignal.timeout(timeLimitMs)
  let firstByteMs: number | undefined
  try {
    const outcome = await completions.complete({
      actor,
      body: { model, messages: [{ role: 'user', content: question }], stream: true },
      signal: AbortSignal.any([signal, timeUp]),
    })
    const reply = await readReply(outcome, () => {
      firstByteMs ??= elapsedMs()
    })
    if (timeUp.aborted) throw new AppError('provider_timeout')
    const report = { status: true, model, latency_ms: elapsedMs(), reply: reply.trim().slice(0, longestReply) }
    return { report: { ...report, ...(firstByteMs === undefined ? {} : { first_byte_ms: firstByteMs }) } }
  } catch (problem) {
    const failure = timeUp.aborted ? new AppError('provider_timeout', { cause: problem }) : asAppError(problem)
    if (failure.status < 500) throw failure
    return { report: { status: false, model, latency_ms: elapsedMs(), error: failure.message }, failure }
  }
}

const readReply = async (outcome: CompletionOutcome, onFirst: () => void): Promise<string> => {
  if (outcome.kind !== 'stream') return ''
  let reply = ''
  for await (const chunk of outcome.chunks) {
    onFirst()
    reply += deltaOf(chunk).content
  }
  return reply
}

/** Gets a time-stamp from the configured authority. Without an answer there is no seal: a weaker one would not be noticed. */
import { AppError } from '#kernel/errors.ts'
import { hostPortOf, type Outbound } from '#kernel/outbound/index.ts'
import type { Timestamp } from './build-cms.ts'
import { TimestampProblem, timestampRequest, tokenIn } from './timestamp.ts'

const maxReplyBytes = 64 * 1024
const patienceMs = 20_000

export const createTimestamp =
  (outbound: Outbound, url: string): Timestamp =>
  async (signature) => {
    const request = timestampRequest(signature)
    try {
      const reply = await outbound.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
        body: request.body,
        trusted: hostPortOf(url),
        maxBytes: maxReplyBytes,
        firstByteMs: patienceMs,
        totalMs: patienceMs,
      })
      if (reply.status !== 200) throw new TimestampProblem(`it answered with status ${reply.status}`)
      return tokenIn(await reply.bytes(), request)
    } catch (problem) {
      if (!(problem instanceof TimestampProblem || problem instanceof AppError)) throw problem
      throw new AppError('seal_timestamp_failed', {
        detail: `The time-stamp authority didn't help: ${problem.message.replace(/\.$/, '')}.`,
        cause: problem,
      })
    }
  }

/**
 * A large body is read, validated and used in turns of the event loop of their own: each takes tens of milliseconds, and
 * others are served in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'

const largeBytes = 128 * 1024
const large = new WeakSet<FastifyRequest>()

/** Calls back in this turn, or in the next one where the body is large. */
export const afterTurnOf = (request: FastifyRequest, bytes: Buffer, goOn: () => void): void => {
  if (bytes.length < largeBytes) {
    goOn()
    return
  }
  large.add(request)
  setImmediate(goOn)
}

/** Undefined where the body was not large: then nothing has to be awaited. */
export const turnAfterLarge = (request: FastifyRequest): Promise<void> | undefined =>
  large.has(request) ? nextTurn() : undefined

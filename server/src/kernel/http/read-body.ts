/** Reads a request's body as a whole. `done` is called exactly once, also when the client leaves in the middle. */
import type { IncomingMessage } from 'node:http'
import { ByteCollector } from '../bytes/collect.ts'
import { AppError } from '../errors.ts'

type Done = (problem: Error | null, bytes?: Buffer) => void

export const readBody = (request: IncomingMessage, maxBytes: number, done: Done): void => {
  if (Number(request.headers['content-length']) > maxBytes) {
    done(new AppError('body_too_large'))
    return
  }
  if (request.destroyed) {
    done(new AppError('invalid_request'))
    return
  }
  const body = new ByteCollector(maxBytes)
  const finish = (problem: Error | null, bytes?: Buffer): void => {
    request.off('data', take).off('end', end).off('close', abort)
    done(problem, bytes)
  }
  const take = (piece: Buffer): void => {
    if (!body.add(piece)) finish(new AppError('body_too_large'))
  }
  const end = (): void => finish(null, body.whole())
  const abort = (): void => finish(new AppError('invalid_request'))
  request.on('data', take).on('end', end).on('close', abort)
  // The close that follows says it all, but an error without a listener would end the process.
  request.on('error', ignore)
}

const ignore = (): void => undefined

/**
 * Reads a request's body as a whole. Node's parser gives every piece to the request's `push`, and the stream behind that
 * keeps it, wakes a reader in a later turn, and tells of the end in another. Who wants the whole, and is there before the
 * first piece, takes the pieces from the parser itself; whoever comes later reads what the stream has kept.
 */
import type { IncomingMessage } from 'node:http'
import { Pieces } from '../bytes/pieces.ts'
import { AppError } from '../errors.ts'

type Done = (problem: Error | null, bytes?: Buffer) => void

export const readBody = (request: IncomingMessage, maxBytes: number, done: Done): void => {
  if (Number(request.headers['content-length']) > maxBytes) done(new AppError('body_too_large'))
  else if (isUntouched(request)) readFromParser(request, maxBytes, done)
  else readFromStream(request, maxBytes, done)
}

const isUntouched = (request: IncomingMessage): boolean =>
  !request.complete && request.readableLength === 0 && request.readableFlowing === null && !request.destroyed

/**
 * Only for a request whose parser feeds it. Node looks at `_consuming` when the reply is done, to throw away what nobody
 * has read. Whoever leaves in the middle of a body is heard of no more: there is nobody left to answer.
 */
const readFromParser = (request: IncomingMessage, maxBytes: number, done: Done): void => {
  const pieces = new Pieces(maxBytes)
  const streamPush = request.push
  const push = (piece: Buffer | null): boolean => {
    if (piece !== null && pieces.add(piece)) return true
    // Given back, since the parser keeps its last request: a connection at rest must not hold on to a body.
    Object.assign(request, { push: streamPush, _consuming: piece === null })
    if (piece === null) done(null, pieces.whole())
    else done(new AppError('body_too_large'))
    return true
  }
  Object.assign(request, { push, _consuming: true })
}

const readFromStream = (request: IncomingMessage, maxBytes: number, done: Done): void => {
  const pieces = new Pieces(maxBytes)
  const stop = (): void => {
    request.off('data', take).off('end', end).off('error', fail)
  }
  const take = (piece: Buffer): void => {
    if (pieces.add(piece)) return
    stop()
    done(new AppError('body_too_large'))
  }
  const end = (): void => {
    stop()
    done(null, pieces.whole())
  }
  const fail = (problem: Error): void => {
    stop()
    done(new AppError('invalid_request', { cause: problem }))
  }
  request.on('data', take).on('end', end).on('error', fail)
}

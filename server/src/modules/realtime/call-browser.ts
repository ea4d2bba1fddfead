/**
 * Sends a question to one socket of a user and waits for the acknowledgement, the time limit or the disconnect. A browser
 * whose answer nobody waits for any more is told, so that it closes what it shows.
 */
import { randomUUID } from 'node:crypto'
import { questionClosed, socketEvent } from '@chancery/contract/chats/events.ts'
import { AppError } from '#kernel/errors.ts'
import type { Connections } from './connections.ts'
import type { Question } from './interface.ts'

/** Questions that one socket may leave unanswered at a time. */
const maxOpen = 32

export const gone = 'The browser that asked is not connected.'

export const callBrowser = async (
  connections: Connections,
  { userId, sessionId, event, timeoutMs, signal }: Question & { timeoutMs: number },
): Promise<unknown> => {
  const connection = connections.find(userId, sessionId)
  if (!connection) throw new AppError('event_call_failed', { detail: gone })
  if (connection.unanswered.size >= maxOpen)
    throw new AppError('event_call_failed', { detail: 'The browser has left too many questions unanswered.' })
  signal?.throwIfAborted()
  const id = randomUUID()
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const leave = () => reject(new AppError('event_call_failed', { detail: gone }))
  const abort = () => reject(signal?.reason)
  connection.unanswered.add(leave)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    connection.socket
      .timeout(timeoutMs)
      .emit(socketEvent, { ...event, question_id: id }, (late: Error | null, answer: unknown) => {
        if (late) reject(new AppError('event_call_failed'))
        else resolve(answer)
      })
    return await promise
  } catch (problem) {
    connection.socket.emit(socketEvent, { ...event, data: { type: questionClosed, data: { id } } })
    throw problem
  } finally {
    connection.unanswered.delete(leave)
    signal?.removeEventListener('abort', abort)
  }
}

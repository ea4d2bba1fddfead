/** Events of tools and filters about one message, applied one after the other and before the message is done. */

import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { Log } from '#kernel/log.ts'
import type { LiveReply } from './live-reply.ts'

export interface UiEvent {
  type: string
  data: unknown
}

export interface EventLine {
  emit(event: UiEvent): void
  /** Resolves when all that came is applied. What a tool says from now on is said too late: the message is done. */
  close(): Promise<void>
}

const saysMore = new Set(['message', 'chat:message:delta'])

interface Options {
  reply: Pick<LiveReply, 'say'>
  apply(event: UiEvent): Promise<void>
  log: Log
}

export const createEventLine = ({ reply, apply, log }: Options): EventLine => {
  let last = Promise.resolve()
  let isClosed = false
  const applyNext = async (before: Promise<void>, event: UiEvent): Promise<void> => {
    await before
    try {
      await apply(event)
    } catch (problem) {
      log.warn({ err: problem, type: event.type }, 'An event could not be applied to its message.')
    }
  }
  return {
    emit: (event) => {
      if (isClosed) return
      const { type, data } = event
      // Through the reply itself, so that its own text does not overwrite these words when it is stored.
      if (saysMore.has(type) && isJsonObject(data) && typeof data.content === 'string')
        reply.say({ content: data.content, reasoning: '' })
      else last = applyNext(last, event)
    },
    close: () => {
      isClosed = true
      return last
    },
  }
}

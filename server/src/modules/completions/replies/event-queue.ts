/** Events of tools and filters for one message, applied in order and before the message is done. */

import type { UiEvent } from '@chancery/contract/chats/events.ts'
import type { Log } from '#kernel/log.ts'
import { addedText } from '#modules/chats/index.ts'
import type { LiveReply } from './live-reply.ts'

export interface EventQueue {
  emit(event: UiEvent): void
  /** Resolves when all events are applied. Later ones are ignored: the message is done. */
  close(): Promise<void>
}

interface Options {
  reply: Pick<LiveReply, 'appendText'>
  apply(event: UiEvent): Promise<void>
  log: Log
}

export const createEventQueue = ({ reply, apply, log }: Options): EventQueue => {
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
      const content = addedText(event)
      // Through the reply itself, so that storing the model's text doesn't overwrite this one.
      if (content === undefined) last = applyNext(last, event)
      else reply.appendText({ content, reasoning: '' })
    },
    close: () => {
      isClosed = true
      return last
    },
  }
}

/** Joins text for 25 ms, so that a fast model doesn't cost a packet per token. The first text is sent at once. */
import type { ReplyText } from './replay-log.ts'

export interface TextBatch {
  add(text: ReplyText): void
  /** Sends what is waiting now. */
  flush(): void
}

export const createTextBatch = (everyMs: number, send: (text: ReplyText) => void): TextBatch => {
  let waiting: ReplyText = { content: '', reasoning: '' }
  let timer: NodeJS.Timeout | undefined

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.content === '' && waiting.reasoning === '') return
    const text = waiting
    waiting = { content: '', reasoning: '' }
    send(text)
    timer = setTimeout(flush, everyMs)
    timer.unref()
  }
  return {
    add: ({ content, reasoning }) => {
      waiting = { content: waiting.content + content, reasoning: waiting.reasoning + reasoning }
      if (!timer) flush()
    },
    flush,
  }
}

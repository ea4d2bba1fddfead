/** Gathers words for a moment, so that a fast model does not cost a packet per token. The first ones go at once. */
import type { Words } from './replay-log.ts'

export interface Batch {
  add(words: Words): void
  /** Sends what waits, now. */
  flush(): void
}

export const createBatch = (everyMs: number, send: (words: Words) => void): Batch => {
  let waiting: Words = { content: '', reasoning: '' }
  let timer: NodeJS.Timeout | undefined

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.content === '' && waiting.reasoning === '') return
    const words = waiting
    waiting = { content: '', reasoning: '' }
    send(words)
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

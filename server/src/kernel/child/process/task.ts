/** One task as the child sees it: its context, the file that comes in, and the questions it has asked. */
import { encodeFrame, encodeMessage, encodeSignal, kinds, pieceBytes } from '../frames.ts'
import type { TaskContext } from '../worker.ts'

export type Send = (frame: Buffer) => Promise<void>

export interface RunningTask {
  context: TaskContext
  body: { push(piece: Buffer): void; end(): void }
  answer(message: unknown): void
  cancel(): void
}

interface Answer {
  id: number
  ok: boolean
  value?: unknown
  message?: string
  code?: string
}

export const createTask = (send: Send): RunningTask => {
  const stop = new AbortController()
  const asked = new Map<number, { resolve(value: unknown): void; reject(problem: Error): void }>()
  const body = createBody(() => send(encodeSignal(kinds.bodyRoom)), stop.signal)
  let lastId = 0

  const context: TaskContext = {
    signal: stop.signal,
    body: body.pieces(),
    progress: (message) => send(encodeMessage(kinds.progress, message)),
    write: async (bytes) => {
      for (let at = 0; at < bytes.byteLength; at += pieceBytes)
        await send(encodeFrame(kinds.bytes, bytes.subarray(at, at + pieceBytes)))
    },
    ask: async (name, message) => {
      lastId += 1
      const id = lastId
      const answered = new Promise<unknown>((resolve, reject) => asked.set(id, { resolve, reject }))
      await send(encodeMessage(kinds.ask, { id, name, message }))
      return answered
    },
  }

  return {
    context,
    body,
    answer: (message) => {
      const { id, ok, value, message: words, code } = message as Answer
      const question = asked.get(id)
      asked.delete(id)
      if (ok) question?.resolve(value)
      else question?.reject(Object.assign(new Error(words), code === undefined ? {} : { code }))
    },
    cancel: () => stop.abort(),
  }
}

const createBody = (room: () => Promise<void>, signal: AbortSignal) => {
  const waiting: Buffer[] = []
  let hasEnded = false
  let wake = () => {}
  signal.addEventListener('abort', () => wake(), { once: true })

  return {
    push: (piece: Buffer) => {
      waiting.push(piece)
      wake()
    },
    end: () => {
      hasEnded = true
      wake()
    },
    async *pieces(): AsyncGenerator<Uint8Array> {
      for (;;) {
        signal.throwIfAborted()
        const piece = waiting.shift()
        if (piece) {
          yield piece
          await room()
        } else if (hasEnded) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
}

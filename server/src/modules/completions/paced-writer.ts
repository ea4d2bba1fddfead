/**
 * Writes at most once in a frame of a screen. What comes alone goes out at once, so nobody waits for a model that talks
 * at its usual pace; what comes faster than anyone could see is gathered, since each write costs as much as the rest of
 * what a gateway does with a chunk.
 */
import type { Outlet } from '#kernel/http/raw-reply.ts'

export interface PacedWriter {
  write(bytes: Buffer): void
  /** The last words, with whatever waits. */
  end(text: string): void
}

const paceMs = 16
/** More than this is not held back: it would only take memory. */
const mostHeldBytes = 32 * 1024

/** `onFull` is called when the client takes less than it is given. */
export const createPacedWriter = (outlet: Outlet, onFull: () => void): PacedWriter => {
  let held: Buffer[] = []
  let heldBytes = 0
  let wroteAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  const send = (bytes: Buffer, now: number): void => {
    wroteAt = now
    if (!outlet.write(bytes) && outlet.isOpen) onFull()
  }
  const take = (): Buffer => {
    clearTimeout(timer)
    timer = undefined
    const all = Buffer.concat(held, heldBytes)
    held = []
    heldBytes = 0
    return all
  }
  const flush = (): void => send(take(), performance.now())

  return {
    write: (bytes) => {
      const now = performance.now()
      const waitMs = wroteAt + paceMs - now
      if (!timer && waitMs <= 0) {
        send(bytes, now)
        return
      }
      held.push(bytes)
      heldBytes += bytes.length
      if (heldBytes > mostHeldBytes) flush()
      else timer ??= setTimeout(flush, waitMs)
    },
    end: (text) => {
      const last = Buffer.from(text)
      held.push(last)
      heldBytes += last.length
      outlet.end(take())
    },
  }
}

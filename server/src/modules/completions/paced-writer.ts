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
  let turn: NodeJS.Immediate | undefined

  const take = (): Buffer => {
    clearTimeout(timer)
    clearImmediate(turn)
    timer = undefined
    turn = undefined
    const [first] = held
    const all = first && held.length === 1 ? first : Buffer.concat(held, heldBytes)
    held = []
    heldBytes = 0
    return all
  }
  const flush = (): void => {
    wroteAt = performance.now()
    if (!outlet.write(take()) && outlet.isOpen) onFull()
  }
  /** The first goes with the head. The others wait until all is read that has come: the end may be among it. */
  const plan = (): void => {
    const waitMs = wroteAt + paceMs - performance.now()
    if (waitMs === Number.NEGATIVE_INFINITY) flush()
    else if (waitMs <= 0) turn = setImmediate(flush)
    else timer = setTimeout(flush, waitMs)
  }

  return {
    write: (bytes) => {
      held.push(bytes)
      heldBytes += bytes.length
      if (heldBytes > mostHeldBytes) flush()
      else if (!timer && !turn) plan()
    },
    end: (text) => {
      const last = Buffer.from(text)
      held.push(last)
      heldBytes += last.length
      outlet.end(take())
    },
  }
}

/**
 * Writes at most once every 16 ms, the time of one screen frame. A chunk that comes alone is written at once, so a model
 * at its usual pace is not delayed; chunks that come faster are joined, since each write costs as much as everything
 * else the gateway does with a chunk..
 */
import type { Outlet } from '#kernel/http/replies/raw-reply.ts'

export interface PacedWriter {
  write(bytes: Buffer): void
  /** Writes what is held together with this last text, and ends the reply. */
  end(text: string): void
}

const paceMs = 16
/** More than this is written at once, to bound memory. */
const mostHeldBytes = 32 * 1024

/** `onFull` is called when the client reads slower than we write. */
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
  /** The first chunk goes out with the headers. Others wait until all that has arrived is read: the end may be in it. */
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

/** Whose code runs next: tenants in turn, and never all sandboxes for one of them, for code may sleep in its own. */
import { createFairQueue } from '#kernel/fair-queue.ts'

/** Each sandbox has a memory of its own, so only so many exist at once; other calls wait for their turn. */
const maxAtOnce = 8
const maxOfOneTenant = 6

/** Resolves when it is the tenant's turn, with what ends it; rejects with the signal's reason. */
export type TakeTurn = (tenantId: string, signal: AbortSignal) => Promise<() => void>

interface Waiting {
  tenantId: string
  start(): void
}

export const createTurns = (): TakeTurn => {
  const active = new Map<string, number>()
  const waiting = createFairQueue<Waiting>(Number.POSITIVE_INFINITY)
  let total = 0

  const mayStart = (tenantId: string): boolean => total < maxAtOnce && (active.get(tenantId) ?? 0) < maxOfOneTenant
  const count = (tenantId: string, change: 1 | -1): void => {
    total += change
    const left = (active.get(tenantId) ?? 0) + change
    if (left === 0) active.delete(tenantId)
    else active.set(tenantId, left)
  }
  const startNext = (): void => {
    const next = waiting.next(mayStart)
    if (!next) return
    count(next.tenantId, 1)
    next.start()
  }
  const waitInLine = (tenantId: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const one = { tenantId, start }
      const leave = (): void => {
        waiting.remove(tenantId, one)
        reject(signal.reason)
      }
      waiting.push(tenantId, one)
      signal.addEventListener('abort', leave, { once: true })
    })

  return async (tenantId, signal) => {
    signal.throwIfAborted()
    if (mayStart(tenantId)) count(tenantId, 1)
    else await waitInLine(tenantId, signal)
    return () => {
      count(tenantId, -1)
      startNext()
    }
  }
}

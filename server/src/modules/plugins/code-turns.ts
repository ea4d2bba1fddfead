/** Whose code runs next: tenants in turn, and never all sandboxes for one of them, for code may sleep in its own. */

/** Each sandbox has a memory of its own, so only so many exist at once; other calls wait for their turn. */
const maxAtOnce = 8
const maxOfOneTenant = 6

/** Resolves when it is the tenant's turn, with what ends it; rejects with the signal's reason. */
export type TakeTurn = (tenantId: string, signal: AbortSignal) => Promise<() => void>

export const createTurns = (): TakeTurn => {
  const active = new Map<string, number>()
  // A Map keeps its order: the first tenant that may is served and, if it has more, goes to the end.
  const waiting = new Map<string, (() => void)[]>()
  let total = 0

  const mayStart = (tenantId: string): boolean => total < maxAtOnce && (active.get(tenantId) ?? 0) < maxOfOneTenant
  const count = (tenantId: string, change: 1 | -1): void => {
    total += change
    const left = (active.get(tenantId) ?? 0) + change
    if (left === 0) active.delete(tenantId)
    else active.set(tenantId, left)
  }
  const startNext = (): void => {
    const [tenantId, line] = [...waiting].find(([one]) => mayStart(one)) ?? []
    if (tenantId === undefined || !line) return
    waiting.delete(tenantId)
    const start = line.shift()
    if (line.length > 0) waiting.set(tenantId, line)
    count(tenantId, 1)
    start?.()
  }
  const waitInLine = (tenantId: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const line = waiting.get(tenantId) ?? []
      waiting.set(tenantId, line)
      const leave = (): void => {
        line.splice(line.indexOf(start), 1)
        if (line.length === 0) waiting.delete(tenantId)
        reject(signal.reason)
      }
      const start = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      line.push(start)
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

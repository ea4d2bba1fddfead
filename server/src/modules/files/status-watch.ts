/** Wakes those who wait for a file's status to change, on every node. A lost signal costs them one poll. */
import type { Db } from '#kernel/db/database.ts'
import type { Signals } from '#kernel/db/signals.ts'

export interface StatusWatch {
  announce(db: Db, fileId: string): Promise<void>
  /** Resolves at the next change, after `pollMs`, or when the signal aborts. */
  next(fileId: string, signal: AbortSignal): Promise<void>
}

const topic = 'files.status'
const pollMs = 2000

export const createStatusWatch = (signals: Signals): StatusWatch => {
  const waiting = new Map<string, Set<() => void>>()
  signals.on(topic, (fileId) => {
    const groups = fileId === undefined ? [...waiting.values()] : [waiting.get(fileId) ?? []]
    for (const group of groups) for (const wake of [...group]) wake()
  })
  return {
    announce: (db, fileId) => signals.send(db, topic, fileId),
    next: (fileId, signal) =>
      new Promise((resolve) => {
        const group = waiting.get(fileId) ?? new Set()
        const wake = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          group.delete(wake)
          if (group.size === 0) waiting.delete(fileId)
          resolve()
        }
        const timer = setTimeout(wake, pollMs)
        signal.addEventListener('abort', wake, { once: true })
        group.add(wake)
        waiting.set(fileId, group)
        if (signal.aborted) wake()
      }),
  }
}

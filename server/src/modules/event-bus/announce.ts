/**
 * Tells other nodes that there is something new. Outside of the publishers' transactions, since PostgreSQL commits those
 * that notify one after the other; and once for many, since the others look for themselves. A lost word costs one poll.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#kernel/db/database.ts'
import type { Signals } from '#kernel/db/signals.ts'
import type { Tasks } from '#kernel/tasks.ts'

const topic = 'events'
const restMs = 50

interface Options {
  db: Db
  signals: Signals
  tasks: Tasks
  nodeId: string
}

export const createAnnouncer = ({ db, signals, tasks, nodeId }: Options) => {
  let isAnnouncing = false
  let hasNews = false

  const announce = async (): Promise<void> => {
    try {
      while (hasNews) {
        hasNews = false
        await signals.send(db, topic, nodeId)
        await sleep(restMs, undefined, { ref: false })
      }
    } finally {
      isAnnouncing = false
    }
  }
  return {
    announce: (): void => {
      hasNews = true
      if (isAnnouncing) return
      isAnnouncing = true
      tasks.run('events.announce', announce)
    },
    /** Told when another node published, or may have. */
    onNews: (listener: () => void): void => signals.on(topic, (from) => from !== nodeId && listener()),
  }
}

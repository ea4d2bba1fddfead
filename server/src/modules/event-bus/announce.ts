/**
 * Tells other nodes that events were published. Outside the publishers' transactions, because PostgreSQL commits
 * transactions with a NOTIFY one after the other; and once for many events. A lost signal costs one poll.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#kernel/db/database.ts'
import type { Signals } from '#kernel/db/signals.ts'
import type { Tasks } from '#kernel/tasks.ts'

const topic = 'events'
const pauseMs = 50

interface Options {
  db: Db
  signals: Signals
  tasks: Tasks
  nodeId: string
}

export const createAnnouncer = ({ db, signals, tasks, nodeId }: Options) => {
  let isSending = false
  let isPending = false

  const send = async (): Promise<void> => {
    try {
      while (isPending) {
        isPending = false
        await signals.send(db, topic, nodeId)
        await sleep(pauseMs, undefined, { ref: false })
      }
    } finally {
      isSending = false
    }
  }
  return {
    announce: (): void => {
      isPending = true
      if (isSending) return
      isSending = true
      tasks.run('events.announce', send)
    },
    /** Called when another node published, or may have. */
    onPublishedElsewhere: (listener: () => void): void => signals.on(topic, (from) => from !== nodeId && listener()),
  }
}

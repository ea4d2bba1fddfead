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
  /** Undefined: any. */
  let lanes: Set<number> | undefined = new Set()

  const send = async (): Promise<void> => {
    try {
      while (isPending) {
        const text = lanes ? ` ${[...lanes].join()}` : ''
        isPending = false
        lanes = new Set()
        await signals.send(db, topic, `${nodeId}${text}`)
        await sleep(pauseMs, undefined, { ref: false })
      }
    } finally {
      isSending = false
    }
  }
  return {
    /** Events of these lanes, or of any. */
    announce: (published?: readonly number[]): void => {
      isPending = true
      if (!published) lanes = undefined
      for (const lane of published ?? []) lanes?.add(lane)
      if (isSending) return
      isSending = true
      tasks.run('events.announce', send)
    },
    /** Called when another node published, or may have. */
    onPublishedElsewhere: (listener: (lanes?: readonly number[]) => void): void =>
      signals.on(topic, (text) => {
        const [from, some] = text?.split(' ') ?? []
        if (from !== nodeId) listener(some?.split(',').map(Number))
      }),
  }
}

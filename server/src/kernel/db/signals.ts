/**
 * Short messages between nodes over LISTEN/NOTIFY: "forget what you cached about X". Sent inside the transaction that
 * made the change, they arrive when it commits. They may be lost while the connection is down, so listeners are told
 * to drop everything after a reconnect, and no cache may outlive its own time limit.
 */
import type { Log } from '../log.ts'
import type { Db } from './database.ts'
import { keepListening } from './keep-listening.ts'
import { prepared } from './prepared.ts'

const channel = 'chancery_signals'

export interface Signals {
  /** Part of the caller's transaction: no commit, no signal. */
  send(db: Db, topic: string, value: string): Promise<void>
  /** `value` is undefined when signals may have been missed. */
  on(topic: string, listener: (value: string | undefined) => void): void
  start(): void
  stop(): Promise<void>
}

export const createSignals = (connectionString: string, log: Log): Signals => {
  const listeners = new Map<string, ((value: string | undefined) => void)[]>()
  let listening: { close(): Promise<void> } | undefined

  const deliver = (payload: string): void => {
    const cut = payload.indexOf(' ')
    for (const listener of listeners.get(payload.slice(0, cut)) ?? []) listener(payload.slice(cut + 1))
  }
  const announceGap = (): void => {
    for (const group of listeners.values()) for (const listener of group) listener(undefined)
  }
  return {
    send: async (db, topic, value) => {
      await prepared`select pg_notify(${channel}, ${`${topic} ${value}`})`.execute(db)
    },
    on: (topic, listener) => {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener])
    },
    start: () => {
      const connection = { connectionString, application_name: 'chancery signals' }
      listening = keepListening({ connection, channel, log, onNotification: deliver, onListening: announceGap })
    },
    stop: async () => listening?.close(),
  }
}

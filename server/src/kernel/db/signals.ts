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
const channelOf = (nodeId: string): string => `chancery_node_${nodeId}`

export interface Message {
  /** The node that it is for. */
  to: string
  topic: string
  value: string
}

export interface Signals {
  /** Part of the caller's transaction: no commit, no signal. */
  send(db: Db, topic: string, value: string): Promise<void>
  /** To single nodes: the others are not woken. */
  sendTo(db: Db, messages: readonly Message[]): Promise<void>
  /** `value` is undefined when signals may have been missed. */
  on(topic: string, listener: (value: string | undefined) => void): void
  start(): void
  stop(): Promise<void>
}

/** Without a name nothing can be sent to this node alone. */
export const createSignals = (connectionString: string, log: Log, nodeId?: string): Signals => {
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
    sendTo: async (db, messages) => {
      const channels = messages.map(({ to }) => channelOf(to))
      const texts = messages.map(({ topic, value }) => `${topic} ${value}`)
      await prepared`
        select pg_notify(channel, text) from unnest(${channels}::text[], ${texts}::text[]) as sent (channel, text)`.execute(
        db,
      )
    },
    on: (topic, listener) => {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener])
    },
    start: () => {
      const connection = { connectionString, application_name: 'chancery signals' }
      const channels = [channel, ...(nodeId === undefined ? [] : [channelOf(nodeId)])]
      listening = keepListening({ connection, channels, log, onNotification: deliver, onListening: announceGap })
    },
    stop: async () => listening?.close(),
  }
}

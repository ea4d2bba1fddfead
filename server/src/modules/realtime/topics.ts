/**
 * Topics that a socket watches, such as the runs of a workflow. It is told that something changed, never what: that it
 * reads over HTTP, with the checks of that route. Local to the node; who announces a change does so on every node.
 */
import { topicChanged } from '@chancery/contract/chats/events.ts'
import type { Actor, Authenticate } from '#kernel/http/actor.ts'
import type { Connection } from './connections.ts'
import { deliver, encodeEvent } from './deliver.ts'

/** A page watches one topic or two; a client that watches more leaks. */
const maxWatched = 20

/** True when the actor may know that something with this id changed. */
type MayWatch = (actor: Actor, id: string) => Promise<boolean>

export interface Topics {
  register(topic: string, mayWatch: MayWatch): void
  /** Returns whether the socket is told of changes from now on. It may leave or stop watching while it is checked. */
  watch(connection: Connection, authenticate: () => ReturnType<Authenticate>, request: unknown): Promise<boolean>
  unwatch(connection: Connection, request: unknown): void
  /** Forgets a socket that disconnected. */
  leave(connection: Connection): void
  watched(topic: string): string[]
  /** Cheap. */
  isWatched(topic: string): boolean
  announce(topic: string, id: string): void
}

const read = (request: unknown): { topic: string; id: string } | undefined => {
  const { topic, id } = (request ?? {}) as { topic?: unknown; id?: unknown }
  return typeof topic === 'string' && typeof id === 'string' && id.length <= 100 ? { topic, id } : undefined
}

const keyOf = ({ topic, id }: { topic: string; id: string }): string => `${topic} ${id}`

export const createTopics = (): Topics => {
  const checks = new Map<string, MayWatch>()
  const watchers = new Map<string, Map<string, Set<Connection>>>()
  const drop = (connection: Connection, { topic, id }: { topic: string; id: string }): void => {
    connection.watching.delete(keyOf({ topic, id }))
    const ids = watchers.get(topic)
    const own = ids?.get(id)
    own?.delete(connection)
    if (own?.size === 0) ids?.delete(id)
  }
  return {
    register: (topic, mayWatch) => {
      checks.set(topic, mayWatch)
      watchers.set(topic, new Map())
    },
    watch: async (connection, authenticate, request) => {
      const wanted = read(request)
      const mayWatch = wanted && checks.get(wanted.topic)
      const ids = wanted && watchers.get(wanted.topic)
      if (!mayWatch || !ids || !connection.socket.connected || connection.watching.size >= maxWatched) return false
      const key = keyOf(wanted)
      // Noted before the first await: what leaves or stops watching meanwhile removes the note.
      connection.watching.set(key, wanted)
      let isAllowed = false
      try {
        const actor = await authenticate()
        isAllowed = actor !== undefined && (await mayWatch(actor, wanted.id))
      } finally {
        if (!isAllowed) drop(connection, wanted)
      }
      if (!connection.watching.has(key)) return false
      ids.set(wanted.id, (ids.get(wanted.id) ?? new Set()).add(connection))
      return true
    },
    unwatch: (connection, request) => {
      const named = read(request)
      if (named) drop(connection, named)
    },
    leave: (connection) => {
      for (const named of connection.watching.values()) drop(connection, named)
    },
    watched: (topic) => [...(watchers.get(topic)?.keys() ?? [])],
    isWatched: (topic) => (watchers.get(topic)?.size ?? 0) > 0,
    announce: (topic, id) => {
      const own = watchers.get(topic)?.get(id)
      if (!own) return
      const event = { chat_id: null, message_id: null, data: { type: topicChanged, data: { topic, id } } }
      const packet = encodeEvent(event)
      for (const connection of own) deliver(connection, packet)
    },
  }
}

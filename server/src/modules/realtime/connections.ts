/** Who is connected, by user. The server alone decides who stands where; a client can name no room. */
import type { Socket } from 'socket.io'
import type { Actor } from '#kernel/http/actor.ts'

/** Enough for many tabs and devices; more is a client that leaks. */
export const maxPerUser = 50

export interface Connection {
  socket: Socket
  userId: string
  /** What the client calls itself; it chooses among its own sockets only. */
  sessionId: string | undefined
  /** Kept to ask again and again what it is still good for. */
  token: string
  /** As they were at the handshake. When one changes, the connection ends and a new one begins with the new rights. */
  role: Actor['role']
  organizationId: string | null
  /** Characters that wait because the client does not read. */
  waiting: number
  /** What to do when it leaves with questions unanswered. */
  unanswered: Set<() => void>
}

export interface Connections {
  /** Returns the one that has to go when the user has too many: the oldest, so that a new tab always works. */
  add(connection: Connection): Connection | undefined
  remove(connection: Connection): void
  /** Undefined when nobody is there. */
  of(userId: string): ReadonlySet<Connection> | undefined
  /** The newest of the user's own that goes by this name. */
  find(userId: string, sessionId: string): Connection | undefined
  all(): Connection[]
  users(): string[]
}

/** Told when a user's first socket comes and when the last one goes. */
interface Presence {
  onFirst(userId: string): void
  onLast(userId: string): void
}

export const createConnections = ({ onFirst, onLast }: Presence): Connections => {
  const byUser = new Map<string, Set<Connection>>()
  const remove = (connection: Connection): void => {
    const own = byUser.get(connection.userId)
    if (!own?.delete(connection) || own.size > 0) return
    byUser.delete(connection.userId)
    onLast(connection.userId)
  }
  return {
    remove,
    add: (connection) => {
      const own = byUser.get(connection.userId) ?? new Set()
      byUser.set(connection.userId, own.add(connection))
      if (own.size === 1) onFirst(connection.userId)
      return own.size > maxPerUser ? own.values().next().value : undefined
    },
    of: (userId) => byUser.get(userId),
    find: (userId, sessionId) =>
      [...(byUser.get(userId) ?? [])].findLast(
        (connection) => connection.socket.id === sessionId || connection.sessionId === sessionId,
      ),
    all: () => [...byUser.values()].flatMap((own) => [...own]),
    users: () => [...byUser.keys()],
  }
}

/** The open sockets, by user. Only the server assigns them; a client cannot join a room. */
import type { Socket } from 'socket.io'
import type { HeldCredential } from '#modules/accounts/index.ts'

export interface Connection {
  socket: Socket
  userId: string
  /** The client's own name for this socket; it only selects among the sockets of the same user. */
  sessionId: string | undefined
  /** As at the handshake. When it ends or means less, the socket is disconnected and has to authorize again. */
  credential: HeldCredential
  /** Characters buffered because the client does not read. */
  waiting: number
  /** Rejects the open questions when the socket disconnects. */
  unanswered: Set<() => void>
  /** Things it watches, by topic and id. */
  watching: Map<string, { topic: string; id: string }>
}

export interface Connections {
  /** Returns the oldest connection when the user has too many: it is disconnected, so that a new tab always works. */
  add(connection: Connection, most: number): Connection | undefined
  remove(connection: Connection): void
  /** Undefined when the user has no socket here. */
  of(userId: string): ReadonlySet<Connection> | undefined
  /** The user's newest socket with this Socket.IO id or session id. */
  find(userId: string, sessionId: string): Connection | undefined
  all(): Connection[]
  users(): string[]
}

/** Called when a user's first socket connects and when the last one disconnects. */
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
    add: (connection, most) => {
      const own = byUser.get(connection.userId) ?? new Set()
      byUser.set(connection.userId, own.add(connection))
      if (own.size === 1) onFirst(connection.userId)
      return most > 0 && own.size > most ? own.values().next().value : undefined
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

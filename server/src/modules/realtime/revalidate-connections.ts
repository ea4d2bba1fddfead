/** Disconnects sockets whose credential was revoked, or whose user changed role or organization, since the handshake. */
import type { Actor, Authenticate } from '#kernel/http/actor.ts'
import { mayConnect } from './authorize-socket.ts'
import type { Connection } from './connections.ts'
import { disconnectClient } from './disconnect.ts'

/** Tokens checked at a time: background work must not take the database from requests. */
const concurrency = 4

const isUnchanged = (connection: Connection, actor: Actor | undefined): boolean =>
  actor !== undefined &&
  actor.id === connection.userId &&
  actor.role === connection.role &&
  actor.organizationId === connection.organizationId &&
  mayConnect(actor)

/** Tabs of one browser share a token, so each token is checked once. */
export const revalidateConnections = async (
  authenticate: Authenticate,
  connections: Iterable<Connection>,
): Promise<void> => {
  const byToken = Map.groupBy(connections, ({ token }) => token)
  const queue = byToken.entries()
  const work = async (): Promise<void> => {
    for (const [token, sharing] of queue) {
      const actor = await authenticate(token)
      for (const connection of sharing) if (!isUnchanged(connection, actor)) disconnectClient(connection.socket)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, byToken.size) }, work))
}

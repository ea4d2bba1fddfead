/** Ends connections whose credential no longer stands for what it stood for at the handshake. */
import type { Actor, Authenticate } from '#kernel/http/actor.ts'
import { mayConnect } from './admit.ts'
import type { Connection } from './connections.ts'
import { dismiss } from './cut.ts'

/** How many tokens are looked up at a time: background work leaves the database to those who wait for it. */
const width = 4

const isUnchanged = (connection: Connection, actor: Actor | undefined): boolean =>
  actor !== undefined &&
  actor.id === connection.userId &&
  actor.role === connection.role &&
  actor.organizationId === connection.organizationId &&
  mayConnect(actor)

/** Tabs of one browser share a token, so each token is asked about once. */
export const recheck = async (authenticate: Authenticate, connections: Iterable<Connection>): Promise<void> => {
  const byToken = Map.groupBy(connections, ({ token }) => token)
  const queue = byToken.entries()
  const work = async (): Promise<void> => {
    for (const [token, sharing] of queue) {
      const actor = await authenticate(token)
      for (const connection of sharing) if (!isUnchanged(connection, actor)) dismiss(connection.socket)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, byToken.size) }, work))
}

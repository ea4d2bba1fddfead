/**
 * Hands over to another server on the same port, so that no request fails: new connections are the other's at once, and
 * each open one ends with its next reply. Closing them right away would meet requests that are on their way.
 */
import type { Server } from 'node:http'
import { Server as Listener } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection without a request for as long is idle, and is closed by the stop that follows. */
const usualGraceMs = 2000

export const retireServer = async (server: Server, graceMs = usualGraceMs): Promise<void> => {
  // The reply to each connection's next request says `Connection: close`.
  server.maxRequestsPerSocket = 1
  // The method of HTTP servers would close idle connections as well.
  Listener.prototype.close.call(server)
  await sleep(graceMs)
}

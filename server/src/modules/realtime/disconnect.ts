/** The two ways the server ends a connection. */
import type { Socket } from 'socket.io'

type Conn = Socket['conn']

const graceMs = 1000

/** Sends a disconnect, after which the client does not reconnect by itself; a client that ignores it is cut off. */
export const disconnectClient = (socket: Socket): void => {
  const { conn } = socket
  socket.disconnect(true)
  setTimeout(() => terminate(conn), graceMs).unref()
}

/**
 * Closes at once, without a message and without flushing; the client may reconnect. Only a websocket has a connection
 * of its own to close: polling requests may share a proxy's connection with other requests.
 */
export const terminate = (conn: Conn): void => {
  const { socket } = conn.transport as { socket?: { terminate(): void } }
  conn.close(true)
  socket?.terminate()
}

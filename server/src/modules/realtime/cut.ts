/** The two ways a connection ends from our side. */
import type { Socket } from 'socket.io'

type Conn = Socket['conn']

const graceMs = 1000

/** Says goodbye; the client does not come back by itself. One that does not listen is cut off a second later. */
export const dismiss = (socket: Socket): void => {
  const { conn } = socket
  socket.disconnect(true)
  setTimeout(() => sever(conn), graceMs).unref()
}

/**
 * Without a word and without waiting for anything to be written. The client may try again. Only a websocket has a
 * connection of its own to cut: those that polls come by may be a proxy's, and carry others' requests too.
 */
export const sever = (conn: Conn): void => {
  const { socket } = conn.transport as { socket?: { terminate(): void } }
  conn.close(true)
  socket?.terminate()
}

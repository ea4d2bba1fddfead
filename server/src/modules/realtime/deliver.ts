/** Writes events to sockets. An event is encoded once for all tabs, and a client that does not read is cut off. */
import { type ChatEvent, socketEvent } from '@chancery/contract/chats/events.ts'
import type { Connection } from './connections.ts'
import { terminate } from './disconnect.ts'

/** In characters. A client that falls further behind reconnects and asks for what it missed by sequence number. */
export const maxWaiting = 4 * 1024 * 1024

/** A Socket.IO packet of type EVENT (2) in the main namespace, as it goes over the wire. */
export const encodeEvent = (event: ChatEvent): string => `2${JSON.stringify([socketEvent, event])}`

/** After a flush the engine has handed everything to the operating system. */
export const watchWaiting = (connection: Connection): void => {
  connection.socket.conn.on('flush', () => {
    connection.waiting = 0
  })
}

export const deliver = (connection: Connection, packet: string): void => {
  const { conn } = connection.socket
  // A single packet passes whatever its size: it was small enough to be stored.
  if (connection.waiting > 0 && connection.waiting + packet.length > maxWaiting) {
    terminate(conn)
    return
  }
  connection.waiting += packet.length
  conn.write(packet, { compress: false })
}

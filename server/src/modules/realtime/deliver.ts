/** Writes events to sockets: encoded once for all tabs of a user, and never kept for a client that does not read. */
import { type ChatEvent, socketEvent } from '@chancery/contract/chat-events.ts'
import type { Connection } from './connections.ts'
import { sever } from './cut.ts'

/** In characters. A reader that falls further behind comes back and asks for what it missed by sequence number. */
export const maxWaiting = 4 * 1024 * 1024

/** A Socket.IO packet of type EVENT (2) in the main namespace, as it goes over the wire. */
export const encodeEvent = (event: ChatEvent): string => `2${JSON.stringify([socketEvent, event])}`

/** What was waiting is in the hands of the operating system once the engine has flushed it. */
export const watchWaiting = (connection: Connection): void => {
  connection.socket.conn.on('flush', () => {
    connection.waiting = 0
  })
}

export const deliver = (connection: Connection, packet: string): void => {
  const { conn } = connection.socket
  // One that is alone in the line passes whatever its size: it was small enough to be stored.
  if (connection.waiting > 0 && connection.waiting + packet.length > maxWaiting) {
    sever(conn)
    return
  }
  connection.waiting += packet.length
  conn.write(packet, { compress: false })
}

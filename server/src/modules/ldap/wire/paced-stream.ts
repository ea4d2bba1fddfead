/**
 * A connection as the LDAP client sees it: the same bytes, in small pieces, and not without end.
 *
 * The client reads the messages of one piece by recursion. A piece full of tiny messages, as only a hostile server sends
 * them, would overflow its stack and with it end our process; in pieces of this size it cannot get that deep.
 */
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

const pieceBytes = 2048

export class PacedStream extends Duplex {
  /** The client asks a socket whether it is open already. */
  readonly connecting = false
  readonly readyState = 'open'
  readonly #socket: Socket

  constructor(socket: Socket, maxBytes: number) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    // Until the client listens for itself: an error that nobody hears would end the process.
    this.on('error', () => undefined)
    let received = 0
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > maxBytes) this.destroy(new Error('The directory sent more than we read.'))
      for (let at = 0; at < chunk.length && !this.destroyed; at += pieceBytes)
        this.push(chunk.subarray(at, at + pieceBytes))
    })
    socket.on('end', () => this.push(null))
    socket.on('close', () => this.destroy())
  }

  override _read(): void {
    // Whatever comes is pushed as it comes; `maxBytes` is the only brake it needs.
  }

  override _write(chunk: Buffer, _encoding: string, done: (problem?: Error | null) => void): void {
    this.#socket.write(chunk, done)
  }

  override _destroy(problem: Error | null, done: (problem: Error | null) => void): void {
    this.#socket.destroy()
    done(problem)
  }
}

/** Asks a directory to go on in TLS (RFC 4511, 4.14). Exactly one answer may follow, and it must be a yes. */
import { on } from 'node:events'
import type { Socket } from 'node:net'
import { BerReader } from 'ldapts'
import { DirectoryFailure } from '../failures.ts'

const startTlsOid = '1.3.6.1.4.1.1466.20037'

/** An ExtendedRequest with message id 1. */
const request = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, startTlsOid.length]),
  Buffer.from(startTlsOid, 'latin1'),
])

const extendedResponse = 0x78
const maxBytes = 4096

export const requestStartTls = async (socket: Socket, signal: AbortSignal): Promise<void> => {
  const answers = on(socket, 'data', { signal, close: ['end', 'close'] })
  socket.write(request)
  let received = Buffer.alloc(0)
  for await (const [chunk] of answers) {
    received = Buffer.concat([received, chunk as Buffer])
    const answer = readAnswer(received)
    if (answer === 'incomplete' && received.length < maxBytes) continue
    if (answer === 'yes') return
    break
  }
  throw new DirectoryFailure('tls', 'The server does not offer StartTLS as it should.')
}

/** `no` also covers anything other than exactly one complete answer. */
export const readAnswer = (bytes: Buffer): 'yes' | 'no' | 'incomplete' => {
  try {
    const reader = new BerReader(bytes)
    const length = reader.readSequence()
    if (length === null || reader.remain < reader.length) return 'incomplete'
    if (reader.remain > reader.length) return 'no'
    const id = reader.readInt()
    reader.readSequence(extendedResponse)
    return id === 1 && reader.readEnumeration() === 0 ? 'yes' : 'no'
  } catch {
    return 'no'
  }
}

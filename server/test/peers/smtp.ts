/**
 * A real SMTP server on a free port of this machine that records what it is sent. Only the port is opened at once: most
 * tests send no mail, so the server itself is loaded with the first connection.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Email } from 'postal-mime'
import type { SMTPServer, SMTPServerSession } from 'smtp-server'

export interface ReceivedMail extends Email {
  /** Whom the envelope named, which is whom it went to. */
  recipients: string[]
  login: string | undefined
}

type Stage = 'connect' | 'login' | 'recipient' | 'content'

export interface SmtpPeer {
  port: number
  mails: ReceivedMail[]
  /** From now on this stage is answered with this code; undefined resets it. */
  rejectWith(stage: Stage, code: number | undefined): void
  /** Called while a message is being received, before it is answered. */
  onMessage: (() => Promise<void>) | undefined
  close(): Promise<void>
}

interface Options {
  /** Offers STARTTLS with a self-made certificate. */
  starttls?: boolean
  /** Asks for this login. */
  login?: { user: string; password: string }
}

const refusal = (code: number) => Object.assign(new Error('not today'), { responseCode: code })

const parseMail = async (raw: Buffer): Promise<Email> => (await import('postal-mime')).default.parse(raw)

const readAll = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const startSmtp = async ({ starttls = false, login }: Options = {}): Promise<SmtpPeer> => {
  const rejections = new Map<Stage, number>()
  const rejected = (stage: Stage): Error | null => {
    const code = rejections.get(stage)
    return code === undefined ? null : refusal(code)
  }
  const receive = async (stream: AsyncIterable<Buffer>, session: SMTPServerSession): Promise<void> => {
    const raw = await readAll(stream)
    await peer.onMessage?.()
    const problem = rejected('content')
    if (problem) throw problem
    peer.mails.push({
      ...(await parseMail(raw)),
      recipients: session.envelope.rcptTo.map(({ address }) => address),
      login: typeof session.user === 'string' ? session.user : undefined,
    })
  }
  let server: Promise<SMTPServer> | undefined
  const open = async (): Promise<SMTPServer> => {
    const { SMTPServer } = await import('smtp-server')
    const opened = new SMTPServer({
      logger: false,
      disableReverseLookup: true,
      authOptional: login === undefined,
      allowInsecureAuth: true,
      disabledCommands: [...(starttls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
      onConnect: (_session, answer) => answer(rejected('connect')),
      onAuth: ({ username, password }, _session, answer) => {
        const isRight = username === login?.user && password === login?.password
        answer(rejected('login') ?? (isRight ? null : refusal(535)), { user: username })
      },
      onRcptTo: (_address, _session, answer) => answer(rejected('recipient')),
      onData: (stream, session, answer) => {
        receive(stream, session).then(() => answer(null), answer)
      },
    })
    opened.on('error', () => undefined)
    return opened
  }
  const sockets = new Set<Socket>()
  const listening = createServer({ pauseOnConnect: true }, async (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
    server ??= open()
    const { server: smtp } = await server
    smtp.emit('connection', socket)
    socket.resume()
  })
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')

  const peer: SmtpPeer = {
    port: (listening.address() as AddressInfo).port,
    mails: [],
    onMessage: undefined,
    rejectWith: (stage, code) => (code === undefined ? rejections.delete(stage) : rejections.set(stage, code)),
    close: async () => {
      const closed = new Promise<void>((resolve) => listening.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
  return peer
}

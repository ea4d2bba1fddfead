/** Hands one mail to the mail server, within a bounded time. */
import type { Transporter } from 'nodemailer'

export interface SmtpServer {
  host: string
  port: number
  /** TLS from the first byte. Otherwise STARTTLS is used where offered, and its certificate is checked either way. */
  secure: boolean
  user?: string | undefined
  password?: string | undefined
}

export interface OutgoingMail {
  messageId: string
  from: string
  to: string
  subject: string
  text: string
  html?: string | undefined
}

export interface Smtp {
  deliver(mail: OutgoingMail): Promise<void>
}

/** The mail server has refused this mail, and would again. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

const loopback = new Set(['localhost', '127.0.0.1', '::1'])

const createTransporter = async ({ host, port, secure, user, password }: SmtpServer): Promise<Transporter> => {
  // With the first mail: loading it takes 60 ms.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure,
    // A password goes over an encrypted line or to this very machine.
    requireTLS: user !== undefined && !loopback.has(host),
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

export const createSmtp = (server: SmtpServer): Smtp => {
  let transporter: Transporter | undefined
  return {
    async deliver({ to, ...mail }) {
      try {
        transporter ??= await createTransporter(server)
        // As an object the address is taken whole; a text would be read as a list of recipients.
        await transporter.sendMail({ ...mail, to: { name: '', address: to } })
      } catch (error) {
        throw isRefusal(error) ? new MailRefused(error.message, { cause: error }) : error
      }
    },
  }
}

/** A 5xx about sender, recipient or content. A refused login or greeting is about us, and may be mended meanwhile. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  'permanent' in error &&
  error.permanent === true &&
  'code' in error &&
  (error.code === 'EENVELOPE' || error.code === 'EMESSAGE')

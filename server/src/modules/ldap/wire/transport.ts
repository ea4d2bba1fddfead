/**
 * A connection to a directory, encrypted where it must be, before the first word of LDAP is spoken on it.
 *
 * StartTLS is done here and not by the LDAP client: the client would keep bytes that came before the handshake and read
 * them together with what comes after it, so that somebody on the line could prefix the directory's answers with a "yes"
 * of their own. Here anything beyond the one answer ends the attempt, and the client only ever sees the inside of TLS.
 */
import { once } from 'node:events'
import { isIP, connect as openSocket, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import { orAborted } from '#kernel/or-aborted.ts'
import type { Outbound, ResolvedTarget } from '#kernel/outbound/index.ts'
import { asFailure, DirectoryFailure, type Step } from '../failures.ts'
import { requestStartTls } from './start-tls.ts'

export const stepMs = 5000

/** The ports on which directories speak: LDAP, LDAPS and Active Directory's global catalogue. */
const directoryPorts = [389, 636, 3268, 3269]

export interface Endpoint {
  /** `ldap://host:port` or `ldaps://host:port` */
  url: string
  startTls: boolean
  /** The only authority that counts, where given. */
  caPem: string
  /** Allows a connection without encryption. */
  allowsPlaintext: boolean
  /** The operator named this very host, so it may be inside their network. */
  isTrusted: boolean
}

export type OnStep = (step: Step, detail: string) => void

/** Throws a `DirectoryFailure`; nothing is left open then. */
export const openTransport = async (outbound: Outbound, endpoint: Endpoint, onStep: OnStep): Promise<Socket> => {
  const { host, port, isLdaps } = parseDirectoryUrl(endpoint.url)
  if (!isLdaps && !endpoint.startTls && !endpoint.allowsPlaintext)
    throw new DirectoryFailure('tls', 'The connection must be encrypted: use StartTLS or ldaps.')
  const trusted = endpoint.isTrusted ? `${host}:${port}` : undefined
  const target = await attempt('address', (signal) =>
    orAborted(outbound.resolveTarget(host, port, { ports: directoryPorts, trusted }), signal),
  )
  onStep('address', 'The address may be reached.')
  const socket = await connectTo(target)
  onStep('connect', 'The server answers.')
  if (!isLdaps && !endpoint.startTls) {
    onStep('tls', 'The connection is not encrypted. The operator of this server allows that.')
    return socket
  }
  try {
    if (!isLdaps) await attempt('tls', (signal) => requestStartTls(socket, signal))
    const secured = await secure(socket, target, endpoint.caPem)
    onStep('tls', `The connection is encrypted (${secured.getProtocol()}), and the certificate is right.`)
    return secured
  } catch (problem) {
    socket.destroy()
    throw problem
  }
}

export const parseDirectoryUrl = (url: string): { host: string; port: number; isLdaps: boolean } => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^ldaps?:$/.test(parsed.protocol) || parsed.hostname === '')
    throw new DirectoryFailure('address', 'This is not a usable address.')
  const isLdaps = parsed.protocol === 'ldaps:'
  const port = parsed.port === '' ? (isLdaps ? 636 : 389) : Number(parsed.port)
  return { host: parsed.hostname.toLowerCase(), port, isLdaps }
}

/** Gives a step its time and its name in whatever goes wrong. */
const attempt = async <Result>(step: Step, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
  try {
    return await work(AbortSignal.timeout(stepMs))
  } catch (problem) {
    throw asFailure(step, problem)
  }
}

const ignore = (): void => undefined

const connectTo = async ({ address, port }: ResolvedTarget): Promise<Socket> => {
  const socket = openSocket({ host: address, port, noDelay: true })
  try {
    await attempt('connect', (signal) => once(socket, 'connect', { signal }))
  } catch (problem) {
    socket.on('error', ignore).destroy()
    throw problem
  }
  return socket.on('error', ignore)
}

const secure = async (socket: Socket, { hostname }: ResolvedTarget, caPem: string) => {
  const secured = openTls({
    socket,
    host: hostname,
    ...(isIP(hostname) === 0 && { servername: hostname }),
    ...(caPem !== '' && { ca: caPem }),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  })
  await attempt('tls', (signal) => once(secured, 'secureConnect', { signal }))
  return secured.on('error', ignore)
}

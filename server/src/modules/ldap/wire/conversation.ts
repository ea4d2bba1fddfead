/**
 * One conversation with a directory: connect, say what is to be said, leave. Never kept, never shared; a directory that
 * answers slowly, endlessly or nonsense costs its own caller some seconds and nobody else anything.
 */
import { Client, InvalidCredentialsError, ResultCodeError } from 'ldapts'
import type { Outbound } from '#kernel/outbound/index.ts'
import { parseDn } from '../dn.ts'
import { asFailure, DirectoryFailure } from '../failures.ts'
import { PacedStream } from './paced-stream.ts'
import { type Endpoint, type OnStep, openTransport, stepMs } from './transport.ts'

/** Everything together, however many small waits it is made of. */
const usualLimits = { ms: 20_000, bytes: 8 * 1024 * 1024 }

interface Target {
  outbound: Outbound
  endpoint: Endpoint
  onStep?: OnStep
  limits?: typeof usualLimits
  /** Ends the conversation when it aborts. */
  signal?: AbortSignal
}

export const converse = async <Result>(target: Target, talk: (client: Client) => Promise<Result>): Promise<Result> => {
  const { outbound, endpoint, onStep = () => undefined, limits = usualLimits, signal } = target
  const stream = new PacedStream(await openTransport(outbound, endpoint, onStep), limits.bytes)
  const end = AbortSignal.any([AbortSignal.timeout(limits.ms), ...(signal ? [signal] : [])])
  const cut = () => stream.destroy(new Error('The conversation timed out.'))
  end.addEventListener('abort', cut, { once: true })
  const client = new Client({ url: 'ldap://directory', timeout: stepMs, createConnection: handOver(stream) })
  try {
    return await talk(client)
  } finally {
    end.removeEventListener('abort', cut)
    await client.unbind().catch(() => undefined)
    stream.destroy()
  }
}

/** The client would reconnect by itself, without TLS and without a login. It gets this one stream and no second. */
const handOver = (stream: PacedStream) => {
  let isTaken = false
  const take = () => {
    if (isTaken || stream.destroyed) throw new Error('The directory closed the connection.')
    isTaken = true
    return stream
  }
  return take as unknown as NonNullable<ConstructorParameters<typeof Client>[0]['createConnection']>
}

/**
 * Binds by name and password. An empty password would be a wish to stay anonymous (RFC 4513, 5.1.2), to which many
 * directories say yes; and a text that is no name could be the name of another login mechanism.
 */
const bind = async (client: Client, dn: string, password: string): Promise<void> => {
  const levels = parseDn(dn)
  if (!levels || levels.length === 0) throw new DirectoryFailure('bind', 'The bind DN is not a distinguished name.')
  if (password === '') throw new DirectoryFailure('bind', 'A bind DN needs a password.')
  await client.bind(dn, password)
}

/** As the account that searches; without one, anonymously. */
export const bindAsService = async (client: Client, { dn, password }: { dn: string; password: string }) => {
  if (dn === '') return
  try {
    await bind(client, dn, password)
  } catch (problem) {
    throw asFailure('bind', problem)
  }
}

/** Busy and unavailable: the directory has a problem, which tells nothing about the person. */
const illness = new Set([51, 52])

/** True when this password opens this entry. Every refusal is a no; only a directory that cannot answer throws. */
export const opensEntry = async (
  client: Client,
  { dn, password }: { dn: string; password: string },
  onRefusal: (problem: ResultCodeError) => void,
): Promise<boolean> => {
  try {
    await bind(client, dn, password)
    return true
  } catch (problem) {
    if (!(problem instanceof ResultCodeError) || illness.has(problem.code)) throw asFailure('bind', problem)
    onRefusal(problem)
    return false
  }
}

/** Reasons that Active Directory hides in the message of a refused bind. For the log alone: it tells who exists. */
const subCodes: Record<string, string> = {
  '525': 'no such user',
  '52e': 'wrong password',
  '530': 'not at this time',
  '531': 'not from this location',
  '532': 'password expired',
  '533': 'disabled',
  '701': 'account expired',
  '773': 'password must be changed',
  '775': 'locked',
}

export const refusalReason = (problem: ResultCodeError): string => {
  const code =
    problem instanceof InvalidCredentialsError ? /\bdata ([0-9a-f]{3})\b/.exec(problem.message)?.[1] : undefined
  return (code && subCodes[code]) ?? `result ${problem.code}`
}

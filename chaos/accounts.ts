/** Accounts on both nodes: requests go to them by turns, as through a load balancer. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../server/src/kernel/db/database.ts'
import { bearer, type Client, createClient, type Reply } from '../server/test/harness/client.ts'

export interface Account extends Client {
  id: string
  token: string
  organizationId: string | null
  /** Of the API: publishes to this account's scope. */
  key: string
}

const inTurns = (clients: readonly Client[], onReply: (reply: Reply) => void): Client => {
  let turn = 0
  const next = (): Client => {
    turn += 1
    return clients[turn % clients.length] as Client
  }
  const seen = async (reply: Promise<Reply>): Promise<Reply> => {
    onReply(await reply)
    return reply
  }
  return {
    get: (...call) => seen(next().get(...call)),
    post: (...call) => seen(next().post(...call)),
    put: (...call) => seen(next().put(...call)),
    patch: (...call) => seen(next().patch(...call)),
    delete: (...call) => seen(next().delete(...call)),
    send: (...call) => seen(next().send(...call)),
  }
}

/** The body of a reply that had to be one of success. */
export const expectOk = async (what: string, reply: Promise<Reply>) => {
  const { status, body, text } = await reply
  if (status >= 300) throw new Error(`${what}: ${status} ${text.slice(0, 300)}`)
  return body
}

/** Somebody at this address, on both nodes. */
export const somebodyAt = (
  addresses: readonly string[],
  ip: string,
  headers: Record<string, string> = {},
  onReply: (reply: Reply) => void = () => undefined,
): Client => {
  const always = { ...headers, 'x-forwarded-for': ip }
  return inTurns(
    addresses.map((address) => createClient(address, always)),
    onReply,
  )
}

export interface AccountOptions {
  /** The organization that it registers. */
  org?: string
  /** Their email address is proven, unless told otherwise: then quotas are the usual ones. */
  isProven?: boolean
  onReply?: (reply: Reply) => void
}

interface Place {
  addresses: readonly string[]
  db: Db
  /** Of IP addresses that nobody else has: `10.1.2`. */
  network: string
}

/** Makes ordinary accounts, each its own tenant. */
export const createAccounts = ({ addresses, db, network }: Place) => {
  let count = 0
  return async ({ org, isProven = true, onReply }: AccountOptions = {}): Promise<Account> => {
    count += 1
    const ip = `${network}.${count}`
    const person = {
      name: 'Chaos',
      email: `chaos.${randomUUID()}@example.test`,
      password: 'a perfectly fine passphrase',
      ...(org !== undefined && { companyName: org }),
    }
    const { user, token } = await expectOk('registering', somebodyAt(addresses, ip).post('/api/auth/register', person))
    if (isProven) await db.updateTable('users').set({ emailProvenAt: new Date() }).where('id', '=', user.id).execute()
    const client = somebodyAt(addresses, ip, bearer(token), onReply)
    const { key } = await expectOk('a key', client.post('/api/v1/api-keys', { name: 'chaos' }))
    return { ...client, id: user.id, token, organizationId: user.organizationId, key }
  }
}

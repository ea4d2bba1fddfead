/**
 * Whether a connection keeps its session between transactions, shown by what it is for: one listens, another notifies.
 * Behind a pooler in transaction mode the notification ends in a session that belongs to nobody.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { endsWithin } from '../../ends-within.ts'
import { connectionLimits } from '../connection-limits.ts'

const patienceMs = 2_000

export const keepsSession = async (connectionString: string): Promise<boolean> => {
  const [listener, sender] = [connect(connectionString), connect(connectionString)]
  const channel = `chancery_probe_${randomBytes(8).toString('hex')}`
  const heard = new Promise<void>((resolve) => {
    listener.on('notification', (message) => message.channel === channel && resolve())
  })
  try {
    await listener.connect()
    await listener.query(`listen ${channel}`)
    await sender.connect()
    await sender.query(`notify ${channel}`)
    return await endsWithin(heard, patienceMs)
  } finally {
    await Promise.allSettled([listener.end(), sender.end()])
  }
}

const connect = (connectionString: string): pg.Client => {
  const client = new pg.Client({ connectionString, ...connectionLimits.probe })
  // What breaks the connection also fails what is awaited here.
  client.on('error', () => undefined)
  return client
}

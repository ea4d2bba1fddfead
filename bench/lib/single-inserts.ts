/**
 * The limit that publishing is held against, in a process of its own: so many connections, each inserting one row after
 * the other, each row its own durable commit. Prints how many rows a second.
 */
import { randomUUID } from 'node:crypto'
import { createPool } from '../../server/src/kernel/db/database.ts'

const [url = '', connections = '1', seconds = '1'] = process.argv.slice(2)

const pool = createPool({ connectionString: url, max: Number(connections) })
await pool.query(`create table if not exists bench_rows (
  id uuid primary key, name text not null, correlation_id text not null, payload jsonb not null, at timestamptz not null)`)

const payload = JSON.stringify({ amount: 1200, currency: 'EUR', customer: 'c-4711', lines: [{ sku: 'a', count: 2 }] })
const insert = {
  name: 'insert',
  text: 'insert into bench_rows (id, name, correlation_id, payload, at) values ($1, $2, $3, $4, $5)',
}
let isOver = false
let count = 0

const writer = async (): Promise<void> => {
  const client = await pool.connect()
  while (!isOver) {
    await client.query({ ...insert, values: [randomUUID(), 'order_created', 'order-4711', payload, new Date()] })
    count += 1
  }
  client.release()
}
const startedAt = performance.now()
setTimeout(() => {
  isOver = true
}, Number(seconds) * 1000)
await Promise.all(Array.from({ length: Number(connections) }, writer))
const tookMs = performance.now() - startedAt
await pool.end()
console.log((count / tookMs) * 1000)

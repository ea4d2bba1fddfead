/**
 * The baseline for publishing, in a separate process: a number of connections, each inserting one row after the other,
 * each row in its own durable commit. Each input line starts a round of that many seconds; the answer has the number of
 * rows and the processor time.
 */
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { createPool } from '../../server/src/kernel/db/database.ts'

const [url = '', connections = '1'] = process.argv.slice(2)

const pool = createPool({ connectionString: url, max: Number(connections) })
await pool.query(`create table if not exists bench_rows (
  id uuid primary key, name text not null, correlation_id text not null, payload jsonb not null, at timestamptz not null)`)

const payload = JSON.stringify({ amount: 1200, currency: 'EUR', customer: 'c-4711', lines: [{ sku: 'a', count: 2 }] })
const insert = {
  name: 'insert',
  text: 'insert into bench_rows (id, name, correlation_id, payload, at) values ($1, $2, $3, $4, $5)',
}

const insertFor = async (seconds: number): Promise<{ rows: number; tookMs: number; processorMs: number }> => {
  let isOver = false
  let rows = 0
  const writer = async (): Promise<void> => {
    const client = await pool.connect()
    while (!isOver) {
      await client.query({ ...insert, values: [randomUUID(), 'order_created', 'order-4711', payload, new Date()] })
      rows += 1
    }
    client.release()
  }
  const [startedAt, usedBefore] = [performance.now(), process.cpuUsage()]
  setTimeout(() => {
    isOver = true
  }, seconds * 1000)
  await Promise.all(Array.from({ length: Number(connections) }, writer))
  const used = process.cpuUsage(usedBefore)
  return { rows, tookMs: performance.now() - startedAt, processorMs: (used.user + used.system) / 1000 }
}

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await insertFor(Number(line)))}\n`)
await pool.end()

/**
 * Publishing events over HTTP with 64 clients, beside durable single-row inserts over as many connections into the same
 * PostgreSQL, by turns. Limit: at least as many events a second as inserts, though each event is written with its
 * dispatch, and dispatched meanwhile.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createPool } from '../../server/src/kernel/db/database.ts'
import { median } from '../lib/first-byte.ts'
import { load } from '../lib/load.ts'
import { startPostgres } from '../lib/postgres.ts'
import { startServer } from '../lib/server.ts'

const clients = 64
const seconds = 5
const rounds = 5
const key = 'the key of the measurement'

const body = JSON.stringify({
  event_type: 'order_created',
  correlation_id: 'order-4711',
  source: 'bench',
  payload: { amount: 1200, currency: 'EUR', customer: 'c-4711', lines: [{ sku: 'a', count: 2 }] },
})

const measureInserts = async (databaseUrl: string): Promise<number> => {
  const script = fileURLToPath(new URL('../lib/single-inserts.ts', import.meta.url))
  const args = [script, databaseUrl, String(clients), String(seconds)]
  return Number((await promisify(execFile)(process.execPath, args)).stdout)
}

/** Every answer of 202 must be a row, or the number is worth nothing. */
const expectStored = async (databaseUrl: string, accepted: number): Promise<void> => {
  const pool = createPool({ connectionString: databaseUrl, max: 1 })
  const count = async (table: string): Promise<number> =>
    Number((await pool.query<{ count: string }>(`select count(*) from ${table}`)).rows[0]?.count)
  const [stored, waiting] = [await count('events'), await count('event_dispatches')]
  await pool.end()
  if (stored < accepted) throw new Error(`${accepted} events were accepted and ${stored} stored`)
  console.log(`events stored                        ${stored}, of which ${waiting} wait for dispatch`)
}

export const run = async (): Promise<void> => {
  const postgres = await startPostgres()
  const server = await startServer({ DATABASE_URL: postgres.url, SVC_EVENT_API_KEY: key })
  const headers = { 'x-api-key': key }
  const publish = () =>
    load({ url: `${server.url}/api/v1/events/ingest`, headers, body, connections: clients, seconds })
  const results: { events: number[]; inserts: number[] } = { events: [], inserts: [] }
  let accepted = (await publish()).answered
  for (let round = 0; round < rounds; round += 1) {
    results.inserts.push(await measureInserts(postgres.url))
    const { requestsPerSec, failures, answered, p50Ms, p99Ms } = await publish()
    if (failures > 0) throw new Error(`${failures} events were refused`)
    accepted += answered
    results.events.push(requestsPerSec)
    console.log(`  ingest p50 ${p50Ms} ms, p99 ${p99Ms} ms`)
  }
  await expectStored(postgres.url, accepted)
  const [events, inserts] = [median(results.events), median(results.inserts)]
  console.log(`events published, ${clients} clients         ${events.toFixed(0)}/s`)
  console.log(`single-row inserts, ${clients} connections   ${inserts.toFixed(0)}/s`)
  console.log(`ratio                                ${(events / inserts).toFixed(2)} (limit 1.0)`)
  await server.stop()
  await postgres.stop()
}

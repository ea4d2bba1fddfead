/**
 * Publishing over HTTP with 64 clients, compared with durable single-row inserts over as many connections, in
 * alternating rounds. On a shared machine, 64 inserting processes get a larger share than one server, so the cost in
 * processor time of all processes involved, clients included, is shown as well.
 */
import { median } from '../lib/first-byte.ts'
import { type Bench, show } from './bench.ts'
import { type Answering, startAnswering } from './in-lines.ts'
import { perSec, runClients } from './run-clients.ts'

const connections = 64
const seconds = 4
const rounds = 5
/** The warm-up, in which V8 compiles both sides; it isn't counted. */
const warmUp = 20_000

const body = JSON.stringify({
  event_type: 'order_created',
  correlation_id: 'order-4711',
  source: 'bench',
  payload: { amount: 1200, currency: 'EUR', customer: 'c-4711', lines: [{ sku: 'a', count: 2 }] },
})

interface Round {
  perSec: number
  /** Microseconds of processor time per event. */
  clientUs: number
  serverUs: number
  databaseUs: number
}

const publish = async ({ server, keyHeaders, databaseMs }: Bench): Promise<Round & { answered: number }> => {
  const [serverBefore, databaseBefore] = [server.processorMs(), databaseMs()]
  const url = `${server.url}/api/v1/events/ingest`
  const result = await runClients({ url, headers: keyHeaders, body, connections, seconds })
  const each = (ms: number): number => (ms * 1000) / result.answered
  return {
    answered: result.answered,
    perSec: perSec(result),
    clientUs: each(result.processorMs),
    serverUs: each(server.processorMs() - serverBefore),
    databaseUs: each(databaseMs() - databaseBefore),
  }
}

const insert = async ({ databaseMs }: Bench, inserts: Answering): Promise<Round & { rows: number }> => {
  const before = databaseMs()
  const result = await inserts.ask<{ rows: number; tookMs: number; processorMs: number }>(String(seconds))
  const each = (ms: number): number => (ms * 1000) / result.rows
  return {
    rows: result.rows,
    perSec: (result.rows / result.tookMs) * 1000,
    clientUs: each(result.processorMs),
    serverUs: 0,
    databaseUs: each(databaseMs() - before),
  }
}

/** Every 202 must have stored a row, or the result is invalid. */
const expectStored = async ({ pool }: Bench, accepted: number): Promise<void> => {
  const count = async (table: string): Promise<number> =>
    Number((await pool.query<{ count: string }>(`select count(*) from ${table}`)).rows[0]?.count)
  const stored = await count('events')
  if (stored < accepted) throw new Error(`${accepted} events were accepted and ${stored} stored`)
  const countWaiting = async (): Promise<number> =>
    (await count('event_batches')) + (await count('event_dispatches')) + (await count('postponed_events'))
  for (let waiting = await countWaiting(); waiting > 0; waiting = await countWaiting())
    show('  still to be dispatched', String(waiting))
}

const middle = (all: readonly Round[]): Round & { totalUs: number } => {
  const of = (name: keyof Round): number => median(all.map((round) => round[name]))
  const totalUs = median(all.map(({ clientUs, serverUs, databaseUs }) => clientUs + serverUs + databaseUs))
  return {
    perSec: of('perSec'),
    clientUs: of('clientUs'),
    serverUs: of('serverUs'),
    databaseUs: of('databaseUs'),
    totalUs,
  }
}

export const measureIngest = async (bench: Bench): Promise<void> => {
  const inserts = await startAnswering('../lib/single-inserts.ts', [bench.databaseUrl, String(connections)])
  let accepted = 0
  while (accepted < warmUp) accepted += (await publish(bench)).answered
  await insert(bench, inserts)
  const [published, inserted]: Round[][] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    inserted?.push(await insert(bench, inserts))
    const one = await publish(bench)
    accepted += one.answered
    published?.push(one)
  }
  await inserts.stop()
  await expectStored(bench, accepted)
  const [event, row] = [middle(published ?? []), middle(inserted ?? [])]
  const costs = ({ clientUs, serverUs, databaseUs, totalUs }: typeof event): string =>
    `${totalUs.toFixed(0)} µs: clients ${clientUs.toFixed(0)}, server ${serverUs.toFixed(0)}, database ${databaseUs.toFixed(0)}`
  show(`events published, ${connections} clients`, `${event.perSec.toFixed(0)}/s (${costs(event)})`)
  show(`single-row inserts, ${connections} connections`, `${row.perSec.toFixed(0)}/s (${costs(row)})`)
  show('  ratio', `${(event.perSec / row.perSec).toFixed(2)} (limit 1.0)`)
  show('  ratio of the processor time each takes', (row.totalUs / event.totalUs).toFixed(2))
}

/**
 * From the 202 to the start of the first node, one event after the other, alternating with a bare pg-boss that sends a
 * job to itself. The node's start time comes from its row, in whole milliseconds, so half a millisecond is added.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../lib/first-byte.ts'
import { type Bench, chainOf, show, workflowsPath } from './bench.ts'
import { startAnswering } from './in-lines.ts'

const warmUp = 100
const samples = 200
const pauseMs = 15

const now = (): number => performance.timeOrigin + performance.now()

const publishOne = async ({
  server,
  keyHeaders,
}: Bench): Promise<{ id: string; sentAt: number; answeredAt: number }> => {
  const sentAt = now()
  const reply = await fetch(`${server.url}/api/v1/events/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...keyHeaders },
    body: JSON.stringify({ event_type: 'order_paid', payload: { amount: 1200 } }),
  })
  const answeredAt = now()
  const { event_id: id } = (await reply.json()) as { event_id: string }
  return { id, sentAt, answeredAt }
}

/** When the first node started, by event. */
const readStarts = async ({ pool }: Bench, ids: readonly string[]): Promise<Map<string, number>> => {
  const { rows } = await pool.query<{ id: string; at: Date }>(
    `select r.event_id as id, min(s.started_at) as at from runs r join run_steps s on s.run_id = r.id
     where r.event_id = any($1::uuid[]) and r.status = 'succeeded' group by r.event_id`,
    [ids],
  )
  if (rows.length < ids.length) throw new Error(`${ids.length} events started ${rows.length} runs`)
  return new Map(rows.map(({ id, at }) => [id, at.getTime() + 0.5]))
}

export const measureFirstNode = async (bench: Bench): Promise<void> => {
  const workflowId = await bench.publish(chainOf(1, 'transform', { fields: { amount: 'input["payload"]["amount"]' } }))
  await bench.post(`${workflowsPath}/${workflowId}/triggers/event`, { name: 'Paid', event_type: 'order_paid' })
  const boss = await startAnswering('./boss.ts', [bench.databaseUrl])
  const events: Awaited<ReturnType<typeof publishOne>>[] = []
  const jobs: { fromSend: number; fromAnswer: number }[] = []
  for (let round = 0; round < warmUp + samples; round += 1) {
    events.push(await publishOne(bench))
    await sleep(pauseMs)
    jobs.push(await boss.ask('send'))
    await sleep(pauseMs)
  }
  await boss.stop()
  await sleep(1000)
  const counted = events.slice(warmUp)
  const starts = await readStarts(
    bench,
    counted.map(({ id }) => id),
  )
  const since = (name: 'sentAt' | 'answeredAt'): number =>
    median(counted.map((event) => (starts.get(event.id) ?? 0) - event[name]))
  const jobSince = (name: 'fromSend' | 'fromAnswer'): number => median(jobs.slice(warmUp).map((job) => job[name]))
  const [fromAnswer, jobFromSend] = [since('answeredAt'), jobSince('fromSend')]
  show('202 → first node, p50', `${fromAnswer.toFixed(2)} ms (${since('sentAt').toFixed(2)} from the request)`)
  show('pg-boss send → handler, p50', `${jobFromSend.toFixed(2)} ms (${jobSince('fromAnswer').toFixed(2)} after send)`)
  show('  ratio', `${(fromAnswer / jobFromSend).toFixed(2)} (limit 3)`)
  show('  ratio, both from the answer', (fromAnswer / jobSince('fromAnswer')).toFixed(2))
  show('  ratio, both from the beginning', (since('sentAt') / jobFromSend).toFixed(2))
}

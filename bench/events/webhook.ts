/**
 * Signed webhooks that each start a durable run of one node, compared with a bare `node:http` hello for the same
 * clients, in alternating rounds. A delivery counts when its run has succeeded, so the time ends with the last run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startPeer } from '../lib/child.ts'
import { median } from '../lib/first-byte.ts'
import { type Bench, chainOf, show, workflowsPath } from './bench.ts'
import { perSec, runClients } from './run-clients.ts'

const connections = 64
const seconds = 4
const rounds = 4

const countEnded = async ({ pool }: Bench, workflowId: string): Promise<{ ended: number; open: number }> => {
  const { rows } = await pool.query<{ ended: string; open: string }>(
    `select count(*) filter (where status = 'succeeded') as ended,
       (select count(*) from event_dispatches) + (select count(*) from event_batches)
       + (select count(*) from postponed_events) + count(*) filter (where status <> 'succeeded') as open
     from runs where workflow_id = $1`,
    [workflowId],
  )
  return { ended: Number(rows[0]?.ended), open: Number(rows[0]?.open) }
}

export const measureWebhook = async (bench: Bench): Promise<void> => {
  const workflowId = await bench.publish(chainOf(1, 'transform', { fields: { amount: 'input["payload"]["amount"]' } }))
  const path = `${workflowsPath}/${workflowId}/triggers/webhook`
  const hook = await bench.post<{ url: string; secret: string }>(path, { name: 'Hook' })
  const url = bench.server.url + new URL(hook.url).pathname
  const body = JSON.stringify({ amount: 1200, currency: 'EUR', customer: 'c-4711' })
  const bare = await startPeer('../events/bare-http.ts')

  let delivered = 0
  const deliver = async (): Promise<number> => {
    const startedAt = performance.now()
    const { answered } = await runClients({ url, body, secret: hook.secret, connections, seconds })
    delivered += answered
    let state = await countEnded(bench, workflowId)
    for (; state.open > 0; state = await countEnded(bench, workflowId)) await sleep(5)
    if (state.ended !== delivered) throw new Error(`${delivered} deliveries and ${state.ended} finished runs`)
    return (answered / (performance.now() - startedAt)) * 1000
  }
  const greet = async (): Promise<number> => perSec(await runClients({ url: bare.url, connections, seconds }))

  await deliver()
  await greet()
  const [runs, hellos]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    hellos.push(await greet())
    runs.push(await deliver())
  }
  await bare.stop()
  const [run, hello] = [median(runs), median(hellos)]
  show('webhook → finished run of one node', `${run.toFixed(0)}/s`)
  show('node:http hello', `${hello.toFixed(0)}/s`)
  show('  ratio', `1/${(hello / run).toFixed(1)} (limit 1/25)`)
}

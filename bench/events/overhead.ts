/** The engine's overhead in a run of three nodes: everything but the time inside the nodes, according to its rows. */
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../lib/first-byte.ts'
import { type Bench, chainOf, show, workflowsPath } from './bench.ts'

const samples = 100
const warmUp = 50
const pauseMs = 20

interface Times {
  total: number
  inside: number
}

const runAll = async (bench: Bench, workflowId: string): Promise<Times[]> => {
  for (let round = 0; round < warmUp + samples; round += 1) {
    await bench.post(`${workflowsPath}/${workflowId}/runs`, {})
    await sleep(pauseMs)
  }
  await sleep(1000)
  const { rows } = await bench.pool.query<Times>(
    `select extract(epoch from r.finished_at - r.started_at)::float8 * 1000 as total,
       (select sum(extract(epoch from s.finished_at - s.started_at))::float8 * 1000
        from run_steps s where s.run_id = r.id) as inside
     from runs r where r.workflow_id = $1 and r.status = 'succeeded' order by r.created_at desc limit $2`,
    [workflowId, samples],
  )
  if (rows.length < samples) throw new Error(`${rows.length} of ${samples} runs have finished`)
  return rows
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Whole milliseconds are too coarse for a median, so this is the mean without the slowest tenth. */
const typical = (values: readonly number[]): number =>
  mean([...values].sort((one, other) => one - other).slice(0, Math.ceil(values.length * 0.9)))

export const measureOverhead = async (bench: Bench): Promise<void> => {
  const onTheWay = await bench.publish(chainOf(3, 'transform', { fields: { same: 'input' } }))
  const quick = await runAll(bench, onTheWay)
  show('run of three transforms', `${typical(quick.map(({ total }) => total)).toFixed(2)} ms from start to end`)

  const outside = await runAll(bench, await bench.publish(chainOf(3, 'http_request', { url: bench.peerUrl })))
  const [total, inside] = [typical(outside.map((run) => run.total)), median(outside.map((run) => run.inside))]
  show('run of three http requests', `${total.toFixed(2)} ms, ${inside.toFixed(2)} of them in the nodes`)
  const own = typical(outside.map((run) => run.total - run.inside))
  show('  own overhead of its three nodes', `${own.toFixed(2)} ms`)
}

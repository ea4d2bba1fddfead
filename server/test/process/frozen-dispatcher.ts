/**
 * A node that takes events of a lane to dispatch and is then frozen by its parent. It says "taken" when it has them, and commits
 * when it reads a line.
 */
import { once } from 'node:events'
import { createDb, createPool } from '#kernel/db/database.ts'
import { createSignals } from '#kernel/db/signals.ts'
import { createLog } from '#kernel/log.ts'
import { createNodes } from '#kernel/nodes/nodes.ts'
import { createTasks } from '#kernel/tasks.ts'
import { batchLimits } from '#modules/event-bus/payload.ts'
import { takeBatchesUnscoped } from '#modules/event-bus/queries/batches.ts'
import { claimLanesUnscoped } from '#modules/event-bus/queries/lanes.ts'

const [, , connectionString = '', leaseMs = '0', lane = '0', id = ''] = process.argv
const log = createLog('silent')
const pool = createPool({ connectionString, max: 2 })
pool.on('error', () => undefined)
const db = createDb(pool)
const signals = createSignals(connectionString, log, id)
const nodes = createNodes({ db, id, signals, tasks: createTasks(log) })
const { signal } = new AbortController()
signals.start()
nodes.start(signal)
nodes.join(signal)
const outcome = await db
  .transaction()
  .execute(async (tx) => {
    const lanes = await claimLanesUnscoped(tx, { lanes: [Number(lane)], node: id, leaseMs: Number(leaseMs) })
    if (lanes.length === 0) return 'not claimed'
    const since = { snapshot: '1:1:', at: '-infinity' }
    const { seqs } = await takeBatchesUnscoped(tx, { lanes, from: () => 0, limits: batchLimits, since })
    process.stdout.write(`taken ${seqs.length}\n`)
    await once(process.stdin, 'data')
    return 'committed'
  })
  .catch(() => 'lost')
process.stdout.write(`${outcome}\n`)
process.exit(0)

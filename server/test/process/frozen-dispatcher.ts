/**
 * A node that takes events of a lane to dispatch and is then frozen by its parent. It says "taken" when it has them, and commits
 * when it reads a line.
 */
import { once } from 'node:events'
import { createDb, createPool } from '#kernel/db/database.ts'
import { batchLimits } from '#modules/event-bus/payload.ts'
import { takeBatchesUnscoped } from '#modules/event-bus/queries/batches.ts'
import { claimLanesUnscoped } from '#modules/event-bus/queries/lanes.ts'

const [, , connectionString = '', leaseMs = '0', lane = '0'] = process.argv
const pool = createPool({ connectionString, max: 1 })
pool.on('error', () => undefined)
const outcome = await createDb(pool)
  .transaction()
  .execute(async (tx) => {
    const lanes = await claimLanesUnscoped(tx, { lanes: [Number(lane)], leaseMs: Number(leaseMs) })
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

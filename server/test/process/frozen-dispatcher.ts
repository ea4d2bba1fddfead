/**
 * A node that takes events to dispatch and is then frozen by its parent. It says "taken" when it has them, and commits
 * when it reads a line.
 */
import { once } from 'node:events'
import { createDb, createPool } from '#kernel/db/database.ts'
import { batchLimits } from '#modules/event-bus/payload.ts'
import { takeBatchesUnscoped } from '#modules/event-bus/queries/batches.ts'
import { claimDispatchUnscoped } from '#modules/event-bus/queries/dispatches.ts'

const [, , connectionString = '', leaseMs = '0'] = process.argv
const pool = createPool({ connectionString, max: 1 })
pool.on('error', () => undefined)
const outcome = await createDb(pool)
  .transaction()
  .execute(async (tx) => {
    if (!(await claimDispatchUnscoped(tx, Number(leaseMs)))) return 'not claimed'
    const { seqs } = await takeBatchesUnscoped(tx, { from: 0, limits: batchLimits })
    process.stdout.write(`taken ${seqs.length}\n`)
    await once(process.stdin, 'data')
    return 'committed'
  })
  .catch(() => 'lost')
process.stdout.write(`${outcome}\n`)
process.exit(0)

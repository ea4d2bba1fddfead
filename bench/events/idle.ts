/** The cost of an idle server: its processor time, and how often it queries the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, show } from './bench.ts'

const seconds = 20
/** Startup work and the garbage collection after it aren't counted. */
const settleMs = 45_000

/** A statement outside a transaction counts as a transaction. */
const countTransactions = async ({ pool }: Bench): Promise<number> => {
  await pool.query('select pg_stat_clear_snapshot()')
  const { rows } = await pool.query<{ count: string }>(
    `select sum(xact_commit + xact_rollback) as count from pg_stat_database where datname = current_database()`,
  )
  return Number(rows[0]?.count)
}

export const measureIdle = async (bench: Bench): Promise<void> => {
  await sleep(settleMs)
  const [usedBefore, databaseBefore, before] = [
    bench.server.processorMs(),
    bench.databaseMs(),
    await countTransactions(bench),
  ]
  await sleep(seconds * 1000)
  const share = (ms: number): string => `${(ms / seconds / 10).toFixed(2)} %`
  const used = bench.server.processorMs() - usedBefore
  const transactions = ((await countTransactions(bench)) - before) * (60 / seconds)
  show('idle: processor, of one core', `${share(used)} (limit 1 %)`)
  show('idle: of the database', share(bench.databaseMs() - databaseBefore))
  show('idle: transactions in a minute', transactions.toFixed(0))
}

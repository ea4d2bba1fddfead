/** The processor time of a whole PostgreSQL server: all its processes, running and ended. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Pool } from '../../server/src/kernel/db/database.ts'
import { processorMs } from '../lib/process-facts.ts'

const fieldsOf = (pid: number): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
const parentOf = (pid: number): number => Number(fieldsOf(pid)[1])

/** Found through a connection: each is served by a child of the main process. */
export const createDatabaseWork = async (pool: Pool): Promise<() => number> => {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const main = parentOf(rows[0]?.pid ?? 0)
  const ended = (): number => {
    const fields = fieldsOf(main)
    return (Number(fields[13]) + Number(fields[14])) * msPerTick
  }
  return () => {
    let total = processorMs(main) + ended()
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      try {
        if (parentOf(Number(name)) === main) total += processorMs(Number(name))
      } catch {
        // It ended while we looked, and is counted with the ended ones next time.
      }
    }
    return total
  }
}

/** 100 ticks a second on every Linux that Node runs on. */
const msPerTick = 10

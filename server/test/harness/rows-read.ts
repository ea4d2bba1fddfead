/** How many rows and index entries PostgreSQL reads for what a function asks: each of its statements is explained. */
import type pg from 'pg'
import { createDb, type Db } from '#kernel/db/database.ts'

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Relation Name'?: string
  'Index Name'?: string
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

const readBy = (plan: Plan): number => {
  const isScan = plan['Relation Name'] !== undefined || plan['Index Name'] !== undefined
  const dropped = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  const own = isScan ? (plan['Actual Rows'] + dropped) * plan['Actual Loops'] : 0
  return (plan.Plans ?? []).reduce((sum, each) => sum + readBy(each), own)
}

/** Runs a function and counts what its statements read when they are run once more. */
export const createRowCounter = (pool: pg.Pool) => {
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const db = createDb(pool, { onQuery: (query) => asked.push(query) })
  return async (work: (db: Db) => Promise<unknown>): Promise<number> => {
    await work(db)
    let sum = 0
    for (const { sql, parameters } of asked.splice(0)) {
      const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters])
      sum += readBy(rows[0]['QUERY PLAN'][0].Plan)
    }
    return Math.round(sum)
  }
}

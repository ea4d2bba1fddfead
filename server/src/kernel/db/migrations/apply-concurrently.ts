/**
 * A migration whose first line is `-- concurrently`: for what would lock a large table for long. Its statements run one by
 * one outside a transaction, so after a failure all of them run again. Each is therefore written so that it may: an index
 * with `if not exists`, of which an invalid rest is dropped here.
 */
import type pg from 'pg'
import { type Patience, retryLocks } from './patience.ts'
import { splitStatements } from './split-statements.ts'

export const isConcurrent = (sql: string): boolean => /^-- concurrently\s/.test(sql)

const newIndex = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i
/** They take no lock that others queue behind, and wait for every transaction that is under way. */
const waitsLong = /^(?:(?:create|drop)\s+(?:unique\s+)?index\s+concurrently|alter\s+table\s+\w+\s+validate)\b/i

export const applyConcurrently = async (on: pg.PoolClient, sql: string, patience: Patience): Promise<void> => {
  for (const { sql: statement } of splitStatements(sql)) {
    const [, index] = newIndex.exec(statement) ?? []
    if (index !== undefined) await dropInvalid(on, index)
    await on.query(`set lock_timeout = ${waitsLong.test(statement) ? 0 : patience.lockTimeoutMs}`)
    await retryLocks(patience, () => on.query(statement))
  }
  await on.query('reset lock_timeout')
}

/** What an attempt left that was interrupted: PostgreSQL keeps it up to date, and nobody reads it. */
const dropInvalid = async (on: pg.PoolClient, index: string): Promise<void> => {
  const { rows } = await on.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [index])
  if (rows.length === 0) return
  await on.query('set lock_timeout = 0')
  await on.query(`drop index concurrently if exists ${index}`)
}

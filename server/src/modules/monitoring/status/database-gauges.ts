/** Gauges of what all processes share: the database, and what is stored. */
import { sql } from 'kysely'
import { sumTotals } from '#kernel/db/running-totals.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { shareReading } from '#kernel/metrics/index.ts'

interface Facts {
  bytes: number
  used: number
  most: number
  statementSec: number
}

export const reportDatabase = ({ db, metrics }: Pick<Kernel, 'db' | 'metrics'>): void => {
  const readFacts = shareReading(async (): Promise<Facts> => {
    const { rows } = await sql<Facts>`
      select pg_database_size(current_database()) as bytes,
        (select sum(numbackends)::int from pg_stat_database) as used,
        current_setting('max_connections')::int as most,
        (select coalesce(extract(epoch from max(clock_timestamp() - query_start)), 0)::float8 from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and state = 'active'
            and pid <> pg_backend_pid()) as statement_sec`.execute(db)
    const [facts] = rows
    if (!facts) throw new Error('PostgreSQL did not tell how it is.')
    return facts
  })
  metrics.gauge({
    name: 'chancery_database_bytes',
    isShared: true,
    help: 'The size of the database.',
    read: async () => (await readFacts()).bytes,
  })
  metrics.gauge({
    name: 'chancery_database_connections',
    isShared: true,
    help: 'Connections of the PostgreSQL server: those that are open, of everybody, and the most that it allows.',
    labels: ['state'],
    read: async () => {
      const { used, most } = await readFacts()
      return [
        [['used'], used],
        [['most'], most],
      ]
    },
  })
  metrics.gauge({
    name: 'chancery_database_longest_statement_seconds',
    isShared: true,
    help: 'For how long the longest of the statements that run has been running.',
    read: async () => (await readFacts()).statementSec,
  })
  metrics.gauge({
    name: 'chancery_stored_bytes',
    isShared: true,
    help: 'What people have stored, by what.',
    labels: ['kind'],
    read: async () => [
      [['files'], await sumTotals(db, 'file_bytes')],
      [['documents'], await sumTotals(db, 'document_bytes')],
    ],
  })
}

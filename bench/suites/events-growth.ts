/**
 * The cost of lists and retention as events and runs accumulate: 100,000 and 1,000,000 events, or as many as are given,
 * and a tenth as many runs:
 *
 *     npm run bench -- events-growth
 *     npm run bench -- events-growth 100000 1000000 10000000
 *
 * The events lie in thirty partitions, as thirty days of many events do. For each size the time, the pages and rows that
 * were read and the index of every access; a list whose cost grows with the table has lost its index.
 */
import { randomUUID } from 'node:crypto'
import { createDb, createPool, type Db, type Pool } from '../../server/src/kernel/db/database.ts'
import { migrate } from '../../server/src/kernel/db/migrate.ts'
import { listPartitions } from '../../server/src/kernel/db/partitions.ts'
import { readMigrations } from '../../server/src/kernel/db/read-migrations.ts'
import type { Actor } from '../../server/src/kernel/http/actor.ts'
import { deliveryPartitions, eventPartitions } from '../../server/src/modules/event-bus/partitions.ts'
import { listEvents } from '../../server/src/modules/event-bus/queries/event-pages.ts'
import { listOutcomes } from '../../server/src/modules/event-bus/queries/outcomes.ts'
import { deleteEventsBeforeUnscoped } from '../../server/src/modules/event-bus/queries/retention.ts'
import { listRuns } from '../../server/src/modules/runs/queries/runs.ts'
import { median } from '../lib/first-byte.ts'
import { startPostgres } from '../lib/postgres.ts'

const usualSizes = [100_000, 1_000_000]
const scopes = 20
const rounds = 15
const dayMs = 86_400_000
const days = 60

const page = { limit: 50, bytes: 4_194_304, order: 'desc' } as const
const deleteSize = 1000

/** Filling takes longer than the server lets a statement take. */
const withoutLimits = async (pool: Pool, work: (query: Pool['query']) => Promise<void>): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await work(client.query.bind(client) as Pool['query'])
  } finally {
    client.release(true)
  }
}

/** Sources and types of very different frequency, over sixty days, in the order of time. */
const fillEvents = `
  insert into events (event_id, scope_id, event_type, source, correlation_id, payload, payload_bytes, published_at,
    root_event_id)
  select gen_random_uuid(), ($1::uuid[])[1 + floor(random() * ${scopes})], 'type_' || floor(random() * 40),
    case when random() < 0.0002 then 'rare' else 'source_' || floor(random() * 100) end, 'c-' || i / 5, '{"n": 1}', 8,
    now() - interval '${days} days' * (1 - i::float / $4), gen_random_uuid()
  from generate_series($2::bigint, $3::bigint) as i`

/** One in a hundred failed, one in ten thousand is waiting. */
const fillRuns = `
  insert into runs (id, workflow_id, workflow_name, version_id, version, graph_hash, scope_id, status, trigger_kind, input,
    deadline_at, created_at, finished_at)
  select gen_random_uuid(), md5((i % 50)::text)::uuid, 'Bench', md5('v')::uuid, 1, 'hash',
    ($1::uuid[])[1 + floor(random() * ${scopes})], status, 'event', '{}', now(), at, at
  from (
    select i, now() - interval '${days} days' * (1 - i::float / $4) as at,
      case when i % 10000 = 0 then 'waiting' when i % 100 = 0 then 'failed' else 'succeeded' end as status
    from generate_series($2::bigint, $3::bigint) as i
  ) as made`

/** One decision for each event; one in three started a run. */
const fillDeliveries = `
  insert into event_deliveries (seq, event_id, subscription_id, scope_id, subscription_name, workflow_id, correlation_id,
    decision, run_id, decided_at)
  select seq, event_id, md5('s')::uuid, scope_id, 'Bench', md5('w')::uuid, correlation_id,
    case when seq % 3 = 0 then 'fired' else 'filter_false' end, case when seq % 3 = 0 then event_id end, published_at
  from events on conflict do nothing`

/** Every event waits, ten in a batch. */
const fillQueue = `
  insert into event_batches (seq, span, seqs, event_types, bytes)
  select min(seq), max(seq) - min(seq), array_agg(seq), '{type_1}', 80 from events group by seq / 10`

const fill = (pool: Pool, scopeIds: readonly string[], { from, to }: { from: number; to: number }): Promise<void> =>
  withoutLimits(pool, async (query) => {
    await query(fillEvents, [scopeIds, from, to - 1, to])
    await query(fillRuns, [scopeIds, from / 10, to / 10 - 1, to / 10])
    await query(fillDeliveries)
    await query('vacuum analyze events, event_deliveries, runs')
  })

/** As many as thirty days of many events have, whatever the size. */
const partitions = 30

/** Of nothing: the tables are still empty. */
const repartition = (pool: Pool, most: number): Promise<void> =>
  withoutLimits(pool, async (query) => {
    const db = createDb(pool)
    const size = Math.ceil(most / partitions)
    for (const { table, key } of [eventPartitions, deliveryPartitions]) {
      for (const { name } of await listPartitions(db, table)) await query(`drop table ${name}`)
      const add = 'select add_partition($1, $2, $3, $4, $5)'
      for (let from = 0; from < most; from += size)
        await query(add, [table, `${table}_${from}`, from === 0 ? null : from, from + size, key])
      await query(add, [table, `${table}_rest`, partitions * size, null, key])
    }
  })

interface Plan {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** The accesses of a plan: by which index, and how many rows were read. */
const accessesOf = (plan: Plan): string[] => {
  if (plan['Actual Loops'] === 0) return []
  const read = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
  const isWhole = plan['Node Type'] === 'Seq Scan'
  const what = plan['Index Name'] ?? (isWhole ? `ALL of ${plan['Relation Name']}` : undefined)
  return [...(what ? [`${what}: ${Math.round(read)} rows`] : []), ...(plan.Plans ?? []).flatMap(accessesOf)]
}

/** Runs a query as the server does, and its last statement once more under EXPLAIN. */
interface Measured {
  ms: number
  /** Planning alone. */
  planningMs: number
  /** Pages that were read. */
  pages: number
  plan: string[]
}

/** One index of many partitions is one line. */
const summed = (accesses: readonly string[]): string[] => {
  const rows = new Map<string, { tables: number; rows: number }>()
  for (const access of accesses) {
    const [, name = '', count = '0'] = /^(.+): (\d+) rows$/.exec(access) ?? []
    if (name.startsWith('ALL') && count === '0') continue
    const index = name.replace(/_(?:\d+|rest)_/, '_*_')
    const sum = rows.get(index) ?? { tables: 0, rows: 0 }
    rows.set(index, { tables: sum.tables + 1, rows: sum.rows + Number(count) })
  }
  return [...rows].map(([index, { tables, rows: count }]) => `${index}: ${count} rows, ${tables} times`)
}

const measure = async (pool: Pool, query: (db: Db) => Promise<unknown>): Promise<Measured> => {
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const db = createDb(pool, { onQuery: (sent) => void statements.push(sent) })
  const took: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now()
    await query(db)
    took.push(performance.now() - startedMs)
  }
  const last = statements.findLast(({ sql }) => /events|runs/.test(sql))
  if (!last) return { ms: median(took), planningMs: 0, pages: 0, plan: [] }
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query("set local chancery.retention = 'on'")
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${last.sql}`, [...last.parameters])
    const [{ Plan: plan, 'Planning Time': planningMs }]: [{ Plan: Plan; 'Planning Time': number }] =
      rows[0]['QUERY PLAN']
    const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    return { ms: median(took), planningMs, pages, plan: summed(accessesOf(plan)) }
  } finally {
    await client.query('rollback')
    client.release()
  }
}

export const run = async (): Promise<void> => {
  const given = process.argv.slice(3).map(Number)
  const sizes = given.length > 0 ? given : usualSizes
  const postgres = await startPostgres()
  const pool = createPool({ connectionString: postgres.url, max: 4 })
  // PostgreSQL ends while the pool still closes its connections.
  pool.on('error', () => undefined)
  try {
    await migrate(pool, readMigrations(new URL('../../server/migrations', import.meta.url).pathname))
    await repartition(pool, Math.max(...sizes))
    const scopeIds = Array.from({ length: scopes }, () => randomUUID())
    const actor = { kind: 'user', id: scopeIds[0], organizationId: null } as unknown as Actor
    let filled = 0
    for (const size of sizes) {
      await fill(pool, scopeIds, { from: filled, to: size })
      filled = size
      process.stdout.write(`\n${size.toLocaleString('en')} events\n`)
      const daysAgo = (count: number): Date => new Date(Date.now() - count * dayMs)
      const newest = listEvents(createDb(pool), actor, { ...page, limit: 100 })
      const newestIds = async () => (await newest).events.map(({ eventId }) => eventId)
      const lists: Record<string, (db: Db) => Promise<unknown>> = {
        newest: (db) => listEvents(db, actor, page),
        'by source': (db) => listEvents(db, actor, { ...page, source: 'source_7' }),
        'by rare source': (db) => listEvents(db, actor, { ...page, source: 'rare' }),
        'by type': (db) => listEvents(db, actor, { ...page, eventType: 'type_3' }),
        'by type and source': (db) => listEvents(db, actor, { ...page, eventType: 'type_3', source: 'source_7' }),
        'an old day': (db) =>
          listEvents(db, actor, { ...page, publishedFrom: daysAgo(50), publishedBefore: daysAgo(49) }),
        'a source on an old day': (db) =>
          listEvents(db, actor, {
            ...page,
            source: 'source_7',
            publishedFrom: daysAgo(50),
            publishedBefore: daysAgo(49),
          }),
        'outcomes of 100': async (db) => listOutcomes(db, actor, await newestIds()),
        'runs that failed': (db) => listRuns(db, actor, { limit: 50, statuses: ['failed'] }),
        'unresolved runs': (db) =>
          listRuns(db, actor, { limit: 5, statuses: ['failed', 'timed_out'], isUnresolved: true }),
        'runs that wait': (db) => listRuns(db, actor, { limit: 50, statuses: ['waiting'] }),
        'retention of 1,000': (db) =>
          db
            .transaction()
            .execute(async (tx) => {
              await tx.executeQuery({ sql: "set local chancery.retention = 'on'", parameters: [] } as never)
              await deleteEventsBeforeUnscoped(tx, {
                from: 0,
                to: Math.ceil(size / partitions),
                before: daysAgo(30),
                limit: deleteSize,
              })
              throw new Error('undone')
            })
            .catch(() => undefined),
      }
      const show = async (name: string, query: (db: Db) => Promise<unknown>) => {
        const { ms, planningMs, pages, plan } = await measure(pool, query)
        const figures = `${ms.toFixed(1).padStart(8)} ms, ${planningMs.toFixed(1)} of it planning, ${pages} pages`
        process.stdout.write(`  ${name.padEnd(24)} ${figures}  ${plan.join('; ')}\n`)
      }
      for (const [name, query] of Object.entries(lists)) await show(name, query)
      await withoutLimits(pool, async (query) => void (await query(fillQueue)))
      await show('outcomes, all waiting', async (db) => listOutcomes(db, actor, await newestIds()))
      await withoutLimits(pool, async (query) => void (await query('truncate event_batches')))
    }
  } finally {
    await pool.end()
    await postgres.stop()
  }
}

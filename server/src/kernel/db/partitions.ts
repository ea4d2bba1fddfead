/**
 * Tables in partitions by a number that rises: made ahead, and dropped whole. The partition `…_rest` takes what comes
 * after those that were made, so an insert never fails. All of it may be interrupted anywhere and is finished the next
 * time, and none of it keeps readers or writers waiting: no step locks the whole table, as long as `…_rest` is empty.
 */
import { sql } from 'kysely'
import type { Db } from './database.ts'

export interface Partition {
  name: string
  /** The first number in it, and the first behind it. Infinite at the ends. */
  from: number
  to: number
}

export interface Partitioned {
  table: string
  /** The columns that are unique in a partition. */
  key: string
}

const boundOf = (text: string | undefined, without: number): number => (text === undefined ? without : Number(text))

interface Listed extends Partition {
  /** Its end was interrupted. */
  isDetaching: boolean
}

const listAll = async (db: Db, table: string): Promise<Listed[]> => {
  const { rows } = await sql<{ name: string; bound: string; isDetaching: boolean }>`
    select relname as name, pg_get_expr(relpartbound, oid) as bound, inhdetachpending as is_detaching
    from pg_inherits join pg_class on oid = inhrelid where inhparent = ${table}::regclass`.execute(db)
  return rows
    .map(({ name, bound, isDetaching }) => {
      const [, from, to] = /FROM \((?:'(-?\d+)'|MINVALUE)\) TO \((?:'(-?\d+)'|MAXVALUE)\)/.exec(bound) ?? []
      return { name, isDetaching, from: boundOf(from, -Infinity), to: boundOf(to, Infinity) }
    })
    .sort((one, other) => one.from - other.from)
}

/** In order. */
export const listPartitions = async (db: Db, table: string): Promise<Partition[]> =>
  (await listAll(db, table)).filter(({ isDetaching }) => !isDetaching)

const restOf = (table: string): string => `${table}_rest`
const alter = (db: Db, table: string, change: string) => sql.raw(`alter table ${table} ${change}`).execute(db)
const drop = (db: Db, name: string) => sql.raw(`drop table if exists ${name}`).execute(db)

/** What an earlier call left: partitions that are half taken out, and those that are out and were to be dropped. */
const finish = async (db: Db, table: string): Promise<void> => {
  for (const { name, isDetaching } of await listAll(db, table))
    if (isDetaching) await alter(db, table, `detach partition ${name} finalize`)
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relname ~ ${`^${table}_(first|\\d+)$`} and relkind = 'r' and not relispartition
      and relnamespace = (select relnamespace from pg_class where oid = ${table}::regclass)`.execute(db)
  for (const { name } of rows) await drop(db, name)
}

/** Takes it out while others work with the table, after all that are under way; then it is gone. */
export const dropPartition = async (db: Db, { table }: Partitioned, { name }: Partition): Promise<void> => {
  await finish(db, table)
  await alter(db, table, `detach partition ${name} concurrently`)
  await drop(db, name)
}

interface Ahead {
  /** The last number that was given out. */
  last: number
  /** How many numbers a new partition holds, and how many partitions nobody has reached yet. */
  size: number
  count: number
}

export const makePartitionsAhead = async (db: Db, partitioned: Partitioned, ahead: Ahead): Promise<void> => {
  const { table } = partitioned
  await finish(db, table)
  const partitions = await listPartitions(db, table)
  const rest = partitions.find(({ to }) => to === Infinity)
  const others = partitions.filter((each) => each !== rest)
  const unreached = others.filter(({ from }) => from > ahead.last).length
  if (rest && unreached >= ahead.count) return
  if (rest && rest.from <= ahead.last + ahead.size / 10) return splitRest(db, partitioned, rest, ahead)
  if (rest) await alter(db, table, `detach partition ${rest.name} concurrently`)
  const low = rest?.from ?? others.at(-1)?.to ?? ahead.last + 1
  if (await returnsRest(db, table, low)) return
  const count = ahead.count - unreached + 1
  await db.transaction().execute((tx) => addFrom(tx, partitioned, { low, size: ahead.size, count }))
}

/** True when somebody wrote into it before it was out: it goes back, and is split the next time. Otherwise it is dropped. */
const returnsRest = async (db: Db, table: string, low: number): Promise<boolean> => {
  const name = restOf(table)
  const { rows } = await sql<{ isThere: boolean }>`select to_regclass(${name}) is not null as is_there`.execute(db)
  if (!rows[0]?.isThere) return false
  const { rows: found } = await sql`select from ${sql.table(name)} limit 1`.execute(db)
  await (found.length > 0
    ? alter(db, table, `attach partition ${name} for values from (${low}) to (maxvalue)`)
    : drop(db, name))
  return found.length > 0
}

/**
 * It is in use, or will be soon: it becomes an ordinary partition that ends further on. That locks the table, so it waits for
 * others for a second at most; otherwise it fails, and is tried again the next time.
 */
const splitRest = (
  db: Db,
  partitioned: Partitioned,
  { name, from }: Partition,
  { last, size, count }: Ahead,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { table } = partitioned
    const low = Math.max(from, last) + size
    await sql`set local lock_timeout = '1s'`.execute(tx)
    await alter(tx, table, `detach partition ${name}`)
    await alter(tx, name, `rename to ${table}_${from}`)
    await alter(tx, table, `attach partition ${table}_${from} for values from (${from}) to (${low})`)
    await addFrom(tx, partitioned, { low, size, count })
  })

interface New extends Pick<Ahead, 'size' | 'count'> {
  low: number
}

const addFrom = async (tx: Db, { table, key }: Partitioned, { low, size, count }: New): Promise<void> => {
  const add = (name: string, from: number, to: number | null) =>
    sql`select add_partition(${table}, ${name}, ${from}, ${to}, ${key})`.execute(tx)
  const rest = low + size * count
  for (let from = low; from < rest; from += size) await add(`${table}_${from}`, from, from + size)
  await add(restOf(table), rest, null)
}

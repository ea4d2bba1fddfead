/**
 * The schema of a database as statements that make it again, read from its own catalogs: so a backup holds exactly the
 * tables that were there, those of pg-boss and partitions included, whichever release made them.
 *
 * It covers what our migrations and pg-boss use. A kind of object that neither had before (a domain, a policy) needs a
 * query here; `backup.test.ts` compares the schema of a restored database with that of the original.
 */
import type pg from 'pg'
import { columnsOf } from './columns.ts'

const schemas = `('public', 'pgboss')`

/** Nothing that belongs to an extension, and no partition that is just being taken out. */
const ours = `
  with ours as (
    select c.* from pg_class as c
    where relnamespace in (select oid from pg_namespace where nspname in ${schemas})
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
      and not exists (select from pg_inherits where inhrelid = c.oid and inhdetachpending)
  ), tables as (select * from ours where relkind in ('r', 'p'))`

const isFree = (kind: string): string =>
  `not exists (select from pg_depend where classid = '${kind}'::regclass and objid = ${kind}.oid and deptype = 'e')`

const namespaces = `select format('create schema if not exists %I', nspname) as ddl
  from pg_namespace where nspname in ${schemas} and nspname <> 'public'`

const enums = `
  select format('create type %s as enum (%s)', oid::regtype,
    (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = pg_type.oid)) as ddl
  from pg_type where typtype = 'e' and ${isFree('pg_type')}
    and typnamespace in (select oid from pg_namespace where nspname in ${schemas}) order by oid`

/** Those of identity columns come with their tables. */
const sequences = `${ours}
  select format('create sequence %s as %s start %s increment %s minvalue %s maxvalue %s cache %s%s', seqrelid::regclass,
    seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcache, case when seqcycle then ' cycle' end) as ddl
  from pg_sequence join ours on ours.oid = seqrelid
  where not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = seqrelid and deptype = 'i')
  order by seqrelid`

/** Its body or an argument is made of a table, so it comes after that; tables may need the others. */
const needsTable = `exists (
  select from pg_depend as d left join pg_type as t on d.refclassid = 'pg_type'::regclass and t.oid = d.refobjid
    left join pg_type as element on element.oid = t.typelem
  where d.classid = 'pg_proc'::regclass and d.objid = pg_proc.oid
    and (d.refclassid = 'pg_class'::regclass or t.typrelid <> 0 or element.typrelid <> 0))`

const functionsThat = (condition: string): string => `
  select pg_get_functiondef(oid) as ddl from pg_proc
  where prokind in ('f', 'p') and ${isFree('pg_proc')} and ${condition}
    and pronamespace in (select oid from pg_namespace where nspname in ${schemas}) order by oid`

const functions = functionsThat(`not ${needsTable}`)
const functionsOfTables = functionsThat(needsTable)

const options = `' with (' || array_to_string(reloptions, ', ') || ')'`

const plainTables = `${ours}
  select format('create%s table %s (%s)%s%s', case relpersistence when 'u' then ' unlogged' end, oid::regclass,
    (select string_agg(part, ', ' order by position) from (${columnsOf('tables')}) as parts),
    ' partition by ' || pg_get_partkeydef(oid), ${options}) as ddl
  from tables where not relispartition order by oid`

const partitions = `${ours}
  select format('create table %s partition of %s %s%s%s', tables.oid::regclass, parentrelid::regclass,
    pg_get_expr(tables.relpartbound, tables.oid), ' partition by ' || pg_get_partkeydef(tables.oid),
    ${options.replace('reloptions', 'tables.reloptions')}) as ddl
  from tables as root cross join pg_partition_tree(root.oid) as part join tables on tables.oid = part.relid
  where root.relkind = 'p' and not root.relispartition and part.level > 0 order by part.level, tables.oid`

const checks = `${ours}
  select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(con.oid)) as ddl
  from pg_constraint as con join tables on tables.oid = conrelid
  where contype = 'c' and coninhcount = 0 order by con.oid`

const views = `${ours}
  select format('create view %s as %s', oid::regclass, pg_get_viewdef(oid)) as ddl from ours where relkind = 'v' order by oid`

/** On a partitioned table alone: its partitions have theirs, under their own names, and are attached. */
const keys = `${ours}
  select format('alter table only %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(con.oid)) as ddl
  from pg_constraint as con join tables on tables.oid = conrelid
  where contype in ('p', 'u', 'x') order by relkind = 'p' desc, con.oid`

/** An invalid one is what an interrupted migration left; that migration makes it anew. */
const indexes = `${ours}
  select pg_get_indexdef(indexrelid) as ddl
  from pg_index join tables on tables.oid = indrelid
  where (indisvalid or relkind = 'p')
    and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
  order by relkind = 'p' desc, indexrelid`

const attachedIndexes = `${ours}
  select format('alter index %s attach partition %s', inhparent::regclass, inhrelid::regclass) as ddl
  from pg_inherits join pg_index on indexrelid = inhrelid join tables on tables.oid = indrelid order by inhrelid`

const foreignKeys = `${ours}
  select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(con.oid)) as ddl
  from pg_constraint as con join tables on tables.oid = conrelid
  where contype = 'f' and conparentid = 0 order by con.oid`

const triggers = `${ours}
  select ddl from (
    select tg.oid, 1 as step, pg_get_triggerdef(tg.oid) as ddl
    from pg_trigger as tg join tables on tables.oid = tgrelid where not tgisinternal and tgparentid = 0
    union all
    select tg.oid, 2, format('alter table %s disable trigger %I', tgrelid::regclass, tgname)
    from pg_trigger as tg join tables on tables.oid = tgrelid
    where not tgisinternal and tgparentid = 0 and tgenabled = 'D'
  ) as steps order by oid, step`

/** Where the database itself goes on counting; later than its rows, since sequences know no snapshot. */
const positions = `
  select coalesce(
      (select format('select setval(pg_get_serial_sequence(%L, %L), %s)', refobjid::regclass, attname, last_value)
        from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
        where classid = 'pg_class'::regclass and objid = format('%I.%I', schemaname, sequencename)::regclass
          and deptype = 'i'),
      format('select setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value)) as ddl
  from pg_sequences where schemaname in ${schemas} and last_value is not null order by schemaname, sequencename`

const statementsOf = async (client: pg.Client, queries: readonly string[]): Promise<string[]> => {
  const statements: string[] = []
  for (const query of queries) {
    const { rows } = await client.query<{ ddl: string }>(query)
    for (const { ddl } of rows) statements.push(ddl)
  }
  return statements
}

/** All of these want a session without a search path, so that every name is a full one. */

/** What must be there before rows are. */
export const describeTables = (client: pg.Client): Promise<string[]> =>
  statementsOf(client, [
    ...[namespaces, enums, sequences, functions],
    ...[plainTables, partitions, functionsOfTables, checks, views],
  ])

/** What is quicker, or only right, when all rows are there. */
export const describeRest = (client: pg.Client): Promise<string[]> =>
  statementsOf(client, [keys, indexes, attachedIndexes, foreignKeys, triggers, positions])

export interface TableToCopy {
  /** Its full name, quoted where that is needed. */
  table: string
  /** Quoted where needed, without those that PostgreSQL works out. */
  columns: string[]
  /** What is read of them. */
  values: string[]
}

/**
 * Partitions by themselves, and nothing of a table whose rows don't outlive a crash. The number of a transaction means
 * nothing in another cluster, where it may still come: all rows are from one that is long over.
 */
const copied = `${ours}
  select tables.oid::regclass::text as table,
    array_agg(quote_ident(attname) order by attnum) as columns,
    array_agg(case atttypid when 'xid8'::regtype then format('''3''::xid8 as %I', attname) else quote_ident(attname) end
      order by attnum) as values
  from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped and attgenerated = ''
  where relkind = 'r' and relpersistence = 'p' group by tables.oid order by tables.oid`

export const listTables = async (client: pg.Client): Promise<TableToCopy[]> =>
  (await client.query<TableToCopy>(copied)).rows

/** Of tables, views, sequences and the like: zero in an empty database. */
export const countObjects = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    `${ours} select count(*)::text as count from ours where relkind in ('r', 'p', 'v', 'm', 'S', 'f')`,
  )
  return Number(rows[0]?.count)
}

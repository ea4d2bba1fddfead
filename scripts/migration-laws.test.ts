import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readMigrations } from '../server/src/kernel/db/read-migrations.ts'
import { migrationsFolder } from './describe-schema.ts'
import { breachesOf, largeTables } from './migration-laws.ts'

/** Earlier ones were applied before the law. */
const firstChecked = '0211'

it.each(readMigrations(migrationsFolder).since.filter(({ name }) => name >= firstChecked))(
  '$name locks and rewrites no large table',
  ({ sql }) => {
    expect(breachesOf(sql)).toEqual([])
  },
)

it.each(largeTables)('%s is a table', (name) => {
  const schema = readFileSync(new URL('../server/schema.sql', import.meta.url), 'utf8')
  expect(schema).toContain(`CREATE TABLE ${name} (`)
})

describe('a migration is refused that would keep everybody waiting', () => {
  it.each([
    'create index runs_new on runs (error)',
    'create unique index runs_new on only runs (error)',
    'create index concurrently runs_new on runs (error)',
    'drop index runs_scope',
    'alter table runs add column more uuid not null default gen_random_uuid()',
    'alter table runs add column a int, add column b timestamptz default clock_timestamp()',
    'alter table runs add column total int generated always as (epoch + 1) stored',
    'alter table runs add column parent uuid references runs (id)',
    'alter table runs alter column error type varchar(10)',
    'alter table runs alter error set data type text',
    'alter table runs alter column error set not null',
    'alter table runs add constraint runs_error check (error is null)',
    'alter table runs add foreign key (parent_run_id) references runs (id)',
    'alter table runs add unique (error)',
    'alter table if exists only runs add constraint runs_error unique (error)',
    "update runs set error = ''",
    'with old as (select 1) delete from events',
    'lock table runs',
    'vacuum full runs',
    "do $$ begin update runs set error = ''; end $$",
    "do $$ begin execute 'drop table runs'; end $$",
    '-- allowed:\nlock table runs',
    "-- It doesn't matter.\nlock table runs",
  ])('%s', (sql) => {
    expect(breachesOf(`select 1;\n${sql};`)).toHaveLength(1)
  })
})

describe('a migration may', () => {
  it.each([
    'create table added (id uuid primary key default gen_random_uuid()); create index added_id on added (id)',
    '-- concurrently\ncreate index concurrently if not exists runs_new on runs (error)',
    'drop index concurrently if exists runs_scope',
    "alter table runs add column more text not null default ''",
    'alter table runs add column more timestamptz not null default now(), add column b int',
    'alter table runs add constraint runs_error check (error is null) not valid',
    'alter table runs validate constraint runs_error',
    'alter table runs add constraint runs_error unique using index runs_error',
    'alter table runs add constraint a check (error is not null) not valid; alter table runs validate constraint a; alter table runs alter column error set not null',
    "update settings set value = 'runs'",
    "insert into settings values ('update runs')",
    "create function later() returns void language sql as $$ update runs set error = '' $$",
    '-- allowed: it has a row for each lane.\nlock table runs',
  ])('%s', (sql) => {
    expect(breachesOf(`${sql};`)).toEqual([])
  })
})

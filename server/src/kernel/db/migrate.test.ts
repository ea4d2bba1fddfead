import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '#test/harness/at-end.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { migrate } from './migrate.ts'
import { planMigrations } from './plan-migrations.ts'
import { type Migration, type Migrations, readMigrations } from './read-migrations.ts'

const ours = readMigrations(fileURLToPath(new URL('../../../migrations', import.meta.url)))
const database = await cloneDatabase()
const pool = database.openPool(4)
atEnd(async () => {
  await pool.end()
  await database.drop()
})

const migration = (name: string, sql: string): Migration => ({ name, sql, checksum: `of ${sql}` })

/** Each notes that it was applied. */
const noting = (name: string): Migration => migration(name, `insert into notes (name) values ('${name}')`)

const small: Migrations = {
  before: [migration('0001_notes', 'create table notes (id serial, name text)'), ...['0002', '0005'].map(noting)],
  baseline: migration('baseline', 'create table notes (id serial, name text)'),
  since: ['0200', '0201'].map(noting),
}

/** As the servers before the baseline did it. */
const migrateAsBefore = async (on: pg.Pool, count: number): Promise<void> => {
  const [first, ...others] = small.before
  if (first && count > 0) await migrate(on, { before: [], baseline: first, since: others.slice(0, count - 1) })
}

const namesOf = async (statement: string): Promise<string[]> =>
  (await pool.query<{ name: string }>(statement)).rows.map(({ name }) => name)

const recorded = () => namesOf('select name from schema_migrations order by name')
const notes = () => namesOf('select name from notes order by id')

describe('migrating our database', () => {
  it('waits for nobody when every migration is there already', async () => {
    const other = await pool.connect()
    await other.query('select pg_advisory_lock(4242001)')
    await migrate(pool, ours)
    other.release(true)
  })

  it('applies a new migration once, though two nodes start at the same time', async () => {
    const added = migration('9999_added.sql', 'create table added (id int)')
    const more = { ...ours, since: [...ours.since, added] }
    await Promise.all([migrate(pool, more), migrate(pool, more)])
    const { rows } = await pool.query('select name, checksum from schema_migrations where name = $1', [added.name])
    expect(rows).toEqual([{ name: added.name, checksum: added.checksum }])
    await pool.query('insert into added values (1)')
  })

  it('refuses a baseline that was changed after it had been applied', async () => {
    const changed = { ...ours, baseline: migration('baseline', 'select 1') }
    await expect(migrate(pool, changed)).rejects.toThrow('Migration baseline was changed after')
  })
})

describe('migrating an empty database', () => {
  beforeEach(() => pool.query('drop schema public cascade; create schema public'))

  it('applies the baseline and what came since, once, though two nodes start at the same time', async () => {
    await Promise.all([migrate(pool, small), migrate(pool, small)])
    expect(await recorded()).toEqual(['0200', '0201', 'baseline'])
    expect(await notes()).toEqual(['0200', '0201'])
  })

  it('leaves nothing of a baseline that fails', async () => {
    const broken = migration('baseline', 'create table notes (name text); select 1 / 0')
    await expect(migrate(pool, { ...small, baseline: broken })).rejects.toThrow(
      'Migration baseline failed: division by',
    )
    expect(await recorded()).toEqual([])
    await migrate(pool, small)
    expect(await notes()).toEqual(['0200', '0201'])
  })
})

describe('migrating a database from before the baseline', () => {
  beforeEach(() => pool.query('drop schema public cascade; create schema public'))

  it.each([1, 2, 3])(
    'goes on after %i of its migrations, and records the baseline without running it',
    async (count) => {
      await migrateAsBefore(pool, count)
      await Promise.all([migrate(pool, small), migrate(pool, small)])
      expect(await recorded()).toEqual(['0001_notes', '0002', '0005', '0200', '0201', 'baseline'])
      expect(await notes()).toEqual(['0002', '0005', '0200', '0201'])
    },
  )

  it('goes on where an earlier start failed', async () => {
    await migrateAsBefore(pool, 1)
    const before = small.before.with(2, migration('0005', 'select 1 / 0'))
    await expect(migrate(pool, { ...small, before })).rejects.toThrow('Migration 0005 failed')
    expect(await recorded()).toEqual(['0001_notes', '0002'])
    await migrate(pool, small)
    expect(await notes()).toEqual(['0002', '0005', '0200', '0201'])
  })

  it('refuses one that was changed after it had been applied', async () => {
    await migrateAsBefore(pool, 2)
    const before = small.before.with(1, migration('0002', 'select 1'))
    await expect(migrate(pool, { ...small, before })).rejects.toThrow('Migration 0002 was changed after')
  })

  it('takes no database for its own that has a migration it does not know', async () => {
    await migrateAsBefore(pool, 3)
    const before = small.before.slice(0, 2)
    await expect(migrate(pool, { ...small, before })).rejects.toThrow('has the migration 0005, which this Chancery')
    expect(await recorded()).toEqual(['0001_notes', '0002', '0005'])
  })
})

describe('the plan of migrations', () => {
  beforeEach(() => pool.query('drop schema public cascade; create schema public'))

  it.each([
    [0, ['baseline', '0200', '0201']],
    [2, ['0005', '0200', '0201']],
  ])('lists what is missing after %i, and applies none of it', async (count, missing) => {
    await migrateAsBefore(pool, count)
    const plan = await planMigrations(pool, small)
    expect({ ...plan, missing: plan.missing.map(({ name }) => name) }).toEqual({ missing, unknown: [] })
    expect(await planMigrations(pool, small)).toEqual(plan)
  })

  it('is empty when all are there, and names those of a newer release', async () => {
    await migrate(pool, small)
    expect(await planMigrations(pool, { ...small, since: [] })).toEqual({ missing: [], unknown: ['0200', '0201'] })
  })
})

describe('a migration of tables in use', () => {
  beforeEach(async () => {
    await pool.query('drop schema public cascade; create schema public')
    await migrate(pool, small)
  })

  const hurried = { lockTimeoutMs: 50, tries: 2, firstPauseMs: 1, longestPauseMs: 1 }
  const patient = { lockTimeoutMs: 50, tries: 1000, firstPauseMs: 1, longestPauseMs: 5 }
  const withNew = (sql: string): Migrations => ({ ...small, since: [...small.since, migration('0202_new', sql)] })

  const indexes = () =>
    namesOf(`select indexrelid::regclass::text || case when indisvalid then '' else ' invalid' end as name
      from pg_index where indrelid = 'notes'::regclass and not indisprimary order by 1`)

  it('gives way to whoever uses its table, and tries again until it has its turn', async () => {
    const other = await pool.connect()
    await other.query('begin; select from notes')
    const migrated = migrate(pool, withNew('alter table notes add column more text'), patient)
    // Nobody waits behind it for longer than its own patience.
    for (let reader = 0; reader < 5; reader += 1) await pool.query('select from notes')
    await other.query('commit')
    other.release()
    await migrated
    await pool.query('select more from notes')
  })

  it('says after its last try that its tables are in use, and has changed nothing', async () => {
    const other = await pool.connect()
    await other.query('begin; select from notes')
    const broken = withNew('create table added (id int); alter table notes add column more text')
    await expect(migrate(pool, broken, hurried)).rejects.toThrow(
      'Migration 0202_new failed: other work holds its tables; start again when that has ended.',
    )
    other.release(true)
    expect(await recorded()).not.toContain('0202_new')
    await migrate(pool, broken, hurried)
  })

  const concurrent = withNew(`-- concurrently
    -- By name; the semicolon means nothing.
    create index concurrently if not exists notes_name on notes (name);
    create unique index concurrently if not exists notes_id on notes (id);`)

  it('that makes indexes concurrently runs outside a transaction, once, though two nodes start at the same time', async () => {
    await Promise.all([migrate(pool, concurrent), migrate(pool, concurrent)])
    expect(await indexes()).toEqual(['notes_id', 'notes_name'])
    expect(await recorded()).toContain('0202_new')
  })

  it('makes an index anew that an interrupted attempt left invalid', async () => {
    await pool.query("insert into notes (id, name) values (1, 'twice')")
    await expect(migrate(pool, concurrent)).rejects.toThrow('Migration 0202_new failed: could not create unique index')
    expect(await indexes()).toEqual(['notes_id invalid', 'notes_name'])
    expect(await recorded()).not.toContain('0202_new')
    await pool.query("delete from notes where name = 'twice'")
    await migrate(pool, concurrent)
    expect(await indexes()).toEqual(['notes_id', 'notes_name'])
  })

  it.each(['0199_late', '0201_other'])('is refused when a later one was applied: %s', async (name) => {
    const since = [migration(name, 'create table late (id int)'), ...small.since]
    await expect(migrate(pool, { ...small, since })).rejects.toThrow(
      `The database has the migration 0201, but not ${name}, which should have been applied before it`,
    )
    expect(await recorded()).toEqual(['0200', '0201', 'baseline'])
  })
})

describe('the files of migrations', () => {
  const foldersWith = async (names: string[]): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'chancery-migrations-'))
    atEnd(() => rm(folder, { recursive: true }))
    await Promise.all(['baseline', 'before-baseline'].map((name) => mkdir(join(folder, name))))
    await Promise.all(names.map((name) => writeFile(join(folder, name), 'select 1')))
    return folder
  }

  it('are taken in the order of their numbers', async () => {
    const { since } = readMigrations(await foldersWith(['0201_second.sql', '0200_first.sql', 'README.md']))
    expect(since.map(({ name }) => name)).toEqual(['0200_first.sql', '0201_second.sql'])
  })

  it.each([
    ['a number from before the baseline', ['0197_late.sql'], '0197_late.sql', '0200'],
    ['a gap', ['0200_first.sql', '0202_third.sql'], '0202_third.sql', '0201'],
    ['the same number twice', ['0200_first.sql', '0200_other.sql'], '0200_other.sql', '0201'],
    ['a name that no server would read', ['0200-first.sql'], '0200-first.sql', '0200'],
  ])('are refused with %s', async (_, names, refused, number) => {
    const folder = await foldersWith(names)
    const sentence = `The migration ${refused} is out of order: its name should be ${number}_what_it_does.sql.`
    expect(() => readMigrations(folder)).toThrow(sentence)
  })
})

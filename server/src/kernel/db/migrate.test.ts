import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { atEnd } from '#test/harness/at-end.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { migrate, readMigrations } from './migrate.ts'

const applied = readMigrations(fileURLToPath(new URL('../../../migrations', import.meta.url)))
const database = await cloneDatabase()
const pool = database.openPool(4)
atEnd(async () => {
  await pool.end()
  await database.drop()
})

describe('migrating', () => {
  it('waits for nobody when every migration is there already', async () => {
    const other = await pool.connect()
    await other.query('select pg_advisory_lock(4242001)')
    await migrate(pool, applied)
    other.release(true)
  })

  it('applies a new migration once, though two nodes start at the same time', async () => {
    const added = { name: '9999_added.sql', sql: 'create table added (id int)', checksum: 'of the new one' }
    await Promise.all([migrate(pool, [...applied, added]), migrate(pool, [...applied, added])])
    const { rows } = await pool.query('select name, checksum from schema_migrations where name = $1', [added.name])
    expect(rows).toEqual([{ name: added.name, checksum: added.checksum }])
    await pool.query('insert into added values (1)')
  })

  it('refuses a migration that was changed after it had been applied', async () => {
    const [first, ...others] = applied
    const changed = { ...first, name: first?.name ?? '', sql: 'select 1', checksum: 'of another text' }
    await expect(migrate(pool, [changed, ...others])).rejects.toThrow(`Migration ${changed.name} was changed after`)
  })
})

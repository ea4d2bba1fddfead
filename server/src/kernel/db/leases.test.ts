/** A lease ends with the process that holds it, also when that is killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { startDoor } from '#test/harness/door.ts'
import { hasEnded, thisProcess } from './leases.ts'

const door = await startDoor({ routes: () => [] })
const { db } = door.kernel

const isGone = async (holder: string | null): Promise<boolean | null> => {
  const { rows } = await sql<{ gone: boolean | null }>`
    select ${hasEnded(sql`${holder}::text`)} as gone`.execute(db)
  return rows[0]?.gone ?? null
}

const program = `
  const { createPool } = await import(process.argv[1])
  const pool = createPool({ connectionString: process.argv[2], max: 1 })
  await pool.query('select 1')
  process.stdout.write(pool.options.application_name)
`

describe('the holder of a lease', () => {
  it('is gone as soon as its process is killed', async () => {
    const source = new URL('./database.ts', import.meta.url).href
    const other = spawn(process.execPath, ['--input-type=module', '-e', program, source, door.databaseUrl])
    const [name] = (await once(other.stdout, 'data')) as [Buffer]
    expect(await isGone(String(name))).toBe(false)
    other.kill('SIGKILL')
    await expect.poll(() => isGone(String(name))).toBe(true)
  })

  it('is never taken for gone by its own process, nor where no name was stored', async () => {
    const { rows } = await sql<{ name: string }>`select ${thisProcess} as name`.execute(db)
    expect(rows[0]?.name).toMatch(/^chancery [0-9a-f]{16}$/)
    expect(await isGone(rows[0]?.name ?? '')).toBe(false)
    expect(await isGone('psql')).toBe(false)
    expect(await isGone(null)).toBe(null)
  })
})

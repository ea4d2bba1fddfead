/** Whatever a node brings home, PostgreSQL takes it, and it reads back as it was kept. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createDb } from '#kernel/db/database.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { storable } from './storable-json.ts'

it('takes NUL, half pairs and what only looks like them', async () => {
  const database = await cloneDatabase()
  const pool = database.openPool(1)
  const db = createDb(pool)
  const texts = fc.string({ unit: fc.constantFrom('\0', '\ud800', '\udfff', '\\', 'u0000', 'ud800', '"', 'é', '😀') })
  try {
    await fc.assert(
      // Not as keys: V8's JSON.parse takes the key `"` for `\\` where it has seen objects with that one before.
      fc.asyncProperty(fc.array(texts), async (given) => {
        const { json, value } = storable(given)
        const { rows } = await sql<{ stored: unknown }>`select ${json}::jsonb as stored`.execute(db)
        expect(rows[0]?.stored).toEqual(value)
      }),
      { numRuns: 200 },
    )
    expect(storable('a\0b').value).toBe('a\ufffdb')
    expect(storable('\\u0000').value).toBe('\\u0000')
    expect(storable(undefined)).toMatchObject({ json: 'null' })
  } finally {
    await pool.end()
    await database.drop()
  }
})

it('refuses what is too large to carry', () => {
  expect(() => storable('x'.repeat(5_000_000))).toThrow(/larger/)
})

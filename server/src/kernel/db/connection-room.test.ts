import { afterAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics/index.ts'
import { requireRoom } from './connection-room.ts'

const database = await cloneDatabase()
const pool = database.openPool(2)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const start = async (DATABASE_POOL_SIZE: number, pooler: 'none' | 'transaction' = 'none') => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const metrics = createMetrics(log)
  await requireRoom({ pool, pooler, log, metrics, config: { DATABASE_POOL_SIZE, SVC_ROLE: 'all' } })
  return { lines, page: (await metrics.write()).text }
}

describe('the connections of a process', () => {
  it('are told by what for', async () => {
    const { lines, page } = await start(16)
    expect(lines).toEqual([])
    expect(page.match(/chancery_database_connections_max\{.*/g)).toEqual([
      'chancery_database_connections_max{for="work"} 16',
      'chancery_database_connections_max{for="listen"} 2',
      'chancery_database_connections_max{for="watch"} 1',
    ])
  })

  it('that PostgreSQL can never allow stop the start', async () => {
    await expect(start(500)).rejects.toThrow(
      'This process opens up to 503 connections to PostgreSQL, which allows 397: lower DATABASE_POOL_SIZE (500 now)',
    )
  })

  it('that others leave no room for are a warning with numbers', async () => {
    const { lines } = await start(394)
    expect(lines.join()).toMatch(/"needed":397,"used":\d+,"most":397.*PostgreSQL may run out of connections/)
  })

  it('for work are those of the pooler, where there is one', async () => {
    expect((await start(500, 'transaction')).lines).toEqual([])
  })
})

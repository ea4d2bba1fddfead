import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { createLog } from '../log.ts'
import { createTasks } from '../tasks.ts'
import { type Check, createChecks } from './checks.ts'
import { createDb } from './database.ts'

const database = await cloneDatabase()
const connect = (max: number) => createDb(database.openPool(max))
const db = connect(1)
const tasks = createTasks(createLog('silent'))
const stopping = new AbortController()
const checks = createChecks({ db, tasks, signal: stopping.signal, everyMs: 10 })
await sql`create table jar (name text)`.execute(db)
afterAll(async () => {
  stopping.abort()
  await tasks.settle(5000)
  await db.destroy()
  await database.drop()
})

const put = (name: string) => sql`insert into jar values (${name})`.execute(db)
const takeOut = (name: string) => sql`delete from jar where name = ${name}`.execute(db)
const isInJar = (name: string): Check['question'] => {
  return () => sql<boolean>`exists (select from jar where name = ${name})`
}

describe('checks', () => {
  it('act when the answer is true, and only then', async () => {
    const seen: string[] = []
    const watch = (name: string, signal: AbortSignal) => {
      const act = async () => {
        seen.push(name)
        await takeOut(name)
      }
      checks.add({ name, question: isInJar(name), act }, signal)
    }
    const ending = new AbortController()
    watch('plum', ending.signal)
    watch('pear', ending.signal)
    watch('fig', stopping.signal)
    await put('pear')
    await expect.poll(() => seen).toEqual(['pear'])
    await put('plum')
    await expect.poll(() => seen).toEqual(['pear', 'plum'])

    ending.abort()
    await put('plum')
    await put('fig')
    await expect.poll(() => seen).toEqual(['pear', 'plum', 'fig'])
  })

  it('ask all questions in one statement', async () => {
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement like '%jar%'`.execute(db)
    // Two sets of checks were asked: before and after two of them were removed.
    expect(rows.map(({ statement }) => statement.split('from jar').length - 1).sort()).toEqual([1, 3])
  })

  it('wait for none that is still at work or that fails, and start none twice', async () => {
    const finished = Promise.withResolvers<void>()
    const starts = { slow: 0, failing: 0 }
    const slow = () => {
      starts.slow += 1
      return finished.promise
    }
    const failing = async () => {
      starts.failing += 1
      throw new Error('no')
    }
    const yes = () => sql<boolean>`true`
    checks.add({ name: 'slow', question: yes, act: slow }, stopping.signal)
    checks.add({ name: 'failing', question: yes, act: failing }, stopping.signal)
    await expect.poll(() => starts.failing).toBeGreaterThan(3)
    expect(starts.slow).toBe(1)
    finished.resolve()
    await expect.poll(() => starts.slow).toBeGreaterThan(1)
    expect(tasks.failuresOf('failing')).toBeGreaterThan(2)
  })

  it('are answered while the question of another waits for a lock or fails', async () => {
    const several = connect(4)
    const ending = new AbortController()
    const work = createTasks(createLog('silent'))
    const apart = createChecks({ db: several, tasks: work, signal: ending.signal, everyMs: 10, patienceMs: 50 })
    const acts = { free: 0, locked: 0 }
    const count = (name: keyof typeof acts) => async () => {
      acts[name] += 1
    }
    await put('cherry')
    const lock = await db.startTransaction().execute()
    await sql`lock table jar`.execute(lock)
    apart.add({ name: 'locked', question: isInJar('cherry'), act: count('locked') }, ending.signal)
    apart.add({ name: 'free', question: () => sql`true`, act: count('free') }, ending.signal)
    await expect.poll(() => acts.free).toBeGreaterThan(3)
    apart.add({ name: 'broken', question: () => sql`1 / 0 = 1`, act: async () => undefined }, ending.signal)
    await expect.poll(() => work.failuresOf('broken')).toBeGreaterThan(1)
    const { free } = acts
    await expect.poll(() => acts.free).toBeGreaterThan(free + 3)
    expect(acts.locked).toBe(0)

    await lock.rollback().execute()
    await expect.poll(() => acts.locked).toBeGreaterThan(1)
    ending.abort()
    await work.settle(5000)
    await several.destroy()
  })
})

it('checks are asked at once when the time was moved, however far off the next second is', async () => {
  const moved = createChecks({ db, tasks, signal: stopping.signal, everyMs: 3_600_000 })
  let acts = 0
  const act = async () => {
    acts += 1
  }
  moved.add({ name: 'moved', question: () => sql`true`, act }, stopping.signal)
  moved.askNow()
  await expect.poll(() => acts).toBe(1)
})

it('a node of an earlier release counts its changes of models and plugins too', async () => {
  const count = async () => {
    const { rows } = await sql<{ sum: number }>`select sum(changes)::int as sum from shared_copies`.execute(db)
    return rows[0]?.sum ?? 0
  }
  const before = await count()
  await sql`update model_changes set number = number + 1`.execute(db)
  await sql`update plugin_changes set number = number + 1`.execute(db)
  expect(await count()).toBe(before + 2)
})

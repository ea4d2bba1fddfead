/** Rows that every node holds in memory: which of them it reads again, and when. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import type { Check } from './db/checks.ts'
import { createDb } from './db/database.ts'
import type { Signals } from './db/signals.ts'
import { createLog } from './log.ts'
import { createSharedCopy } from './shared-copy.ts'
import { createTasks } from './tasks.ts'

const database = await cloneDatabase()
const db = createDb(database.openPool(5))
const tasks = createTasks(createLog('silent'))
afterAll(async () => {
  await tasks.settle(5000)
  await db.destroy()
  await database.drop()
})

/** A node whose signals are delivered by hand, or never. It tells what it loaded: keys, or `all`. */
const startNode = async (topic: string) => {
  const loads: ('all' | readonly string[])[] = []
  const sent: string[] = []
  let check: Check | undefined
  let hear: (value: string | undefined) => void = () => undefined
  const signals: Signals = {
    send: async (_db, _topic, value) => void sent.push(value),
    sendTo: async () => undefined,
    on: (_topic, listener) => {
      hear = listener
    },
    start: () => undefined,
    stop: async () => undefined,
  }
  const checks = {
    add: (added: Check) => {
      check = added
    },
    askNow: () => undefined,
  }
  const load = async (keys?: readonly string[]) => void loads.push(keys ?? 'all')
  const copy = await createSharedCopy({ kernel: { db, checks, signals, tasks }, topic, load })
  copy.start(new AbortController().signal)
  const look = async () => {
    if (!check) throw new Error('nothing is checked')
    const { rows } = await sql<{ due: boolean }>`select ${check.question()} as due`.execute(db)
    if (rows[0]?.due) await check.act()
  }
  return { copy, loads, sent, look, hear: (value: string | undefined) => hear(value) }
}

const nothing = async () => undefined
let topics = 0
const twoNodes = async () => {
  topics += 1
  const topic = `topic ${topics}`
  return [await startNode(topic), await startNode(topic)] as const
}

describe('a shared copy', () => {
  it('is loaded once at the start, and then only what each change names', async () => {
    const [one, other] = await twoNodes()
    await one.copy.change(nothing, 'a')
    expect(one.loads).toEqual(['all', ['a']])
    other.hear(one.sent[0])
    await expect.poll(() => other.loads).toEqual(['all', ['a']])
  })

  it('reads what was named while signals were lost, each thing once', async () => {
    const [one, other] = await twoNodes()
    for (const key of ['a', 'b', 'a']) await one.copy.change(nothing, key)
    await other.look()
    expect(other.loads).toHaveLength(2)
    expect([...(other.loads[1] ?? [])].sort()).toEqual(['a', 'b'])
    await other.look()
    expect(other.loads).toHaveLength(2)
  })

  it('reads the changes of others together with its own', async () => {
    const [one, other] = await twoNodes()
    await other.copy.change(nothing, 'theirs')
    await one.copy.change(nothing, 'own')
    expect([...(one.loads[1] ?? [])].sort()).toEqual(['own', 'theirs'])
  })

  it('reads everything when one of the changes names nothing', async () => {
    const [one, other] = await twoNodes()
    await one.copy.change(nothing, 'a')
    await one.copy.change(nothing)
    await one.copy.change(nothing, 'b')
    await other.look()
    expect(other.loads).toEqual(['all', 'all'])
    expect(one.loads).toEqual(['all', ['a'], 'all', ['b']])
  })

  it('keeps the names of the last thousand changes, and reads everything where more were missed', async () => {
    const [one, other] = await twoNodes()
    await one.copy.change(async (tx) => {
      for (let count = 0; count < 1100; count += 1) await one.copy.announce(tx, `key ${count}`)
    }, 'first')
    await other.look()
    expect(other.loads).toEqual(['all', 'all'])
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from shared_copy_keys where topic = ${`topic ${topics}`}`.execute(db)
    expect(rows[0]?.count).toBe(1000)
  })

  it('does not count a change that was rolled back', async () => {
    const [one, other] = await twoNodes()
    const failing = async () => {
      await sleep(0)
      throw new Error('no')
    }
    await expect(one.copy.change(failing, 'a')).rejects.toThrow('no')
    await other.look()
    expect(other.loads).toEqual(['all'])
  })
})

import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { until } from '#test/kernel/until.ts'
import { createDb } from '../db/database.ts'
import { createSignals } from '../db/signals.ts'
import { systemIds } from '../ids.ts'
import { createLog } from '../log.ts'
import { createTasks } from '../tasks.ts'
import { createNodes } from './nodes.ts'

const database = await cloneDatabase()
const db = createDb(database.openPool(4))
const log = createLog('silent')
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
  await db.destroy()
  await database.drop()
})

const startNode = () => {
  const [id, tasks] = [systemIds.next(), createTasks(log)]
  const signals = createSignals(database.url, log, id)
  const nodes = createNodes({ db, id, signals, tasks })
  const [working, running] = [new AbortController(), new AbortController()]
  const stop = async (): Promise<void> => {
    working.abort()
    running.abort()
    await tasks.settle(5000)
    await signals.stop()
  }
  ends.push(stop)
  signals.start()
  nodes.start(running.signal)
  nodes.join(working.signal)
  /** Like kill -9: it doesn't say goodbye. */
  const die = (): void => running.abort()
  return { id, nodes, signals, stop, die }
}
const know = (one: ReturnType<typeof startNode>, ids: readonly string[]) =>
  until(() => one.nodes.workers().join() === [...ids].sort().join(), 'the nodes that work')

it('nodes find each other, in one order, and one that stops or dies is gone', async () => {
  const [a, b, c] = [startNode(), startNode(), startNode()]
  for (const one of [a, b, c]) await know(one, [a.id, b.id, c.id])
  await b.stop()
  for (const one of [a, c]) await know(one, [a.id, c.id])
  c.die()
  await sql`update live_nodes set seen_at = seen_at - interval '3 seconds' where id = ${c.id}`.execute(db)
  await know(a, [a.id])
  // Nobody renews their rows.
  await sql`update live_nodes set seen_at = seen_at - interval '2 minutes' where id <> ${a.id}`.execute(db)
  await until(async () => (await sql`select from live_nodes`.execute(db)).rows.length === 1, 'the removal of old rows')
})

it('a node is told alone, and of topics while it wants to be', async () => {
  const [a, b] = [startNode(), startNode()]
  let [isWanted, begun] = [false, 0]
  b.nodes.hear('news', {
    isWanted: () => isWanted,
    onBegin: () => {
      begun += 1
    },
  })
  await until(() => a.nodes.workers().includes(b.id), 'the other node')
  expect(a.nodes.hearing('news')).toEqual([])
  isWanted = true
  b.nodes.renew()
  await until(() => a.nodes.hearing('news').join() === b.id, 'the wish of the other node')
  await until(() => begun === 1, 'the begin')
  const heard: string[] = []
  for (const [name, { signals }] of Object.entries({ a, b }))
    signals.on('news', (text) => text !== undefined && heard.push(`${name}: ${text}`))
  await a.signals.sendTo(db, [{ to: b.id, topic: 'news', value: 'for one' }])
  await a.signals.send(db, 'news', 'for all')
  await until(() => heard.length === 3, 'what was sent')
  expect(heard.sort()).toEqual(['a: for all', 'b: for all', 'b: for one'])
  isWanted = false
  await until(() => a.nodes.hearing('news').length === 0, 'the end of the wish')
})

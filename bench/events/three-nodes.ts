/**
 * One, two and three servers on one database: the processor time that an event with its run of two nodes takes, of all
 * servers and of PostgreSQL, and how many are finished in a second. Deliveries take turns over tenants, and go to servers at
 * random, as behind a load balancer. All are warmed up; those that don't take part are frozen, so that they stay warm.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUp } from '../lib/person.ts'
import type { BenchServer } from '../lib/server.ts'
import { actAs, type Bench, chainOf, show, workflowsPath } from './bench.ts'

const tenants = 16
const perSecond = 100
const seconds = 6
const warmUp = 6000
/** Forth and back, so that what gets warmer on the way favours none. */
const rounds = [1, 2, 3, 3, 2, 1]
/** A frozen one counts as gone after three seconds. */
const settleMs = 4000
const connections = 24
const atOnce = 1500

interface Hook {
  path: string
  key: Buffer
}

const body = JSON.stringify({ amount: 1200, currency: 'EUR', customer: 'c-4711' })

const createHook = async ({ pool, server }: Bench, number: number): Promise<Hook> => {
  const person = await signUp(server.url, { email: `bench.${number}@example.test`, ip: `10.9.0.${number + 1}` })
  await pool.query('update users set email_proven_at = now() where id = $1', [person.id])
  const post = actAs(server.url, person.token)
  const id = await post.workflow(chainOf(2, 'transform', { fields: { amount: 'input' } }))
  const hook = await post.post<{ url: string; secret: string }>(`${workflowsPath}/${id}/triggers/webhook`, {
    name: 'Hook',
  })
  return { path: new URL(hook.url).pathname, key: Buffer.from(hook.secret.replace(/^whsec_/, ''), 'base64') }
}

const deliver = async (server: BenchServer, { path, key }: Hook): Promise<void> => {
  const [id, time] = [randomUUID(), Math.floor(Date.now() / 1000)]
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  const reply = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(time),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  })
  if (!reply.ok) throw new Error(`a delivery was refused: ${await reply.text()}`)
  await reply.arrayBuffer()
}

interface Scene {
  bench: Bench
  servers: readonly BenchServer[]
  hooks: readonly Hook[]
}

const deliverTurn = ({ servers, hooks }: Scene, turn: number): Promise<void> => {
  // Random, so that no tenant always meets the same server.
  const server = servers[Math.floor(Math.random() * servers.length)]
  const hook = hooks[turn % hooks.length]
  return server && hook ? deliver(server, hook) : Promise.reject(new Error('nothing to deliver to'))
}

const deliverAtRate = async (scene: Scene): Promise<number> => {
  const startedAt = performance.now()
  const sent: Promise<void>[] = []
  for (; performance.now() < startedAt + seconds * 1000; await sleep(2))
    while (sent.length < ((performance.now() - startedAt) / 1000) * perSecond)
      sent.push(deliverTurn(scene, sent.length))
  await Promise.all(sent)
  return sent.length
}

const deliverMany = async (scene: Scene, count: number): Promise<number> => {
  let sent = 0
  const work = async (): Promise<void> => {
    for (; sent < count; await deliverTurn(scene, sent)) sent += 1
  }
  await Promise.all(Array.from({ length: connections }, work))
  return sent
}

/** Waits until nothing is under way. Returns how often it had to ask. */
const rest = async ({ pool }: Bench): Promise<number> => {
  for (let asked = 1; ; asked += 1) {
    const { rows } = await pool.query<{ rests: boolean }>(
      `select not exists (select from event_batches) and not exists (select from event_dispatches)
         and not exists (select from runs where status in ('queued', 'running', 'waiting')) as rests`,
    )
    if (rows[0]?.rests === true) return asked
    await sleep(20)
  }
}

interface Cost {
  perSec: number
  serversMs: number
  databaseMs: number
  /** A statement outside a transaction counts as one. On a busy machine they say more than the time. */
  transactions: number
}

const countTransactions = async ({ pool }: Bench): Promise<number> => {
  const { rows } = await pool.query<{ count: string }>(
    'select sum(xact_commit + xact_rollback) as count from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.count)
}

const measure = async (scene: Scene, load: () => Promise<number>): Promise<Cost> => {
  const { bench, servers } = scene
  const used = () => servers.reduce((sum, server) => sum + server.processorMs(), 0)
  await sleep(2000)
  const transactionsBefore = await countTransactions(bench)
  const [startedAt, usedBefore, databaseBefore] = [performance.now(), used(), bench.databaseMs()]
  const count = await load()
  const asked = await rest(bench)
  const tookMs = performance.now() - startedAt
  const cost = {
    perSec: (count / tookMs) * 1000,
    serversMs: (used() - usedBefore) / count,
    databaseMs: (bench.databaseMs() - databaseBefore) / count,
  }
  // Sessions report what they did after a second.
  await sleep(1500)
  const transactions = (await countTransactions(bench)) - transactionsBefore - asked
  return { ...cost, transactions: transactions / count }
}

const loads: readonly { name: string; run(scene: Scene): Promise<number> }[] = [
  { name: `${perSecond} a second`, run: deliverAtRate },
  { name: `${connections} clients`, run: (scene) => deliverMany(scene, atOnce) },
]

export const measureThreeNodes = async (bench: Bench): Promise<void> => {
  const others = [await bench.startAnother(), await bench.startAnother()]
  const all = [bench.server, ...others]
  try {
    for (const [name, byCount] of await measureAll(bench, all)) report(name, byCount)
  } finally {
    takePart(all, all.length)
    for (const server of others) await server.stop()
  }
}

const takePart = (all: readonly BenchServer[], count: number): void => {
  for (const [index, { pid }] of all.entries()) process.kill(pid, index < count ? 'SIGCONT' : 'SIGSTOP')
}

type Costs = Map<string, Cost[][]>

/** By load and number of servers. */
const measureAll = async (bench: Bench, all: readonly BenchServer[]): Promise<Costs> => {
  const hooks: Hook[] = []
  for (let number = 0; number < tenants; number += 1) hooks.push(await createHook(bench, number))
  await deliverMany({ bench, servers: all, hooks }, warmUp)
  await rest(bench)
  const costs: Costs = new Map(loads.map(({ name }) => [name, all.map(() => [])]))
  for (const count of rounds) {
    takePart(all, count)
    await sleep(settleMs)
    const scene = { bench, servers: all.slice(0, count), hooks }
    for (const { name, run } of loads)
      costs
        .get(name)
        ?.at(count - 1)
        ?.push(await measure(scene, () => run(scene)))
  }
  return costs
}

const report = (name: string, byCount: readonly (readonly Cost[])[]): void => {
  const mean = (costs: readonly Cost[] | undefined, of: (cost: Cost) => number): number =>
    (costs ?? []).reduce((sum, cost) => sum + of(cost), 0) / (costs?.length ?? 0)
  const total = ({ serversMs, databaseMs }: Cost): number => serversMs + databaseMs
  for (const [index, costs] of byCount.entries()) {
    const of = (read: (cost: Cost) => number): string => mean(costs, read).toFixed(2)
    const ratio = (mean(costs, total) / mean(byCount[0], total)).toFixed(2)
    const times = `servers ${of(({ serversMs }) => serversMs)}, database ${of(({ databaseMs }) => databaseMs)}`
    show(
      `${name}, ${index + 1} server${index === 0 ? '' : 's'}`,
      `${mean(costs, ({ perSec }) => perSec).toFixed(0)}/s, ${of(total)} ms an event (${times}), ratio ${ratio} ` +
        `(limit 1.1), ${of(({ transactions }) => transactions)} transactions`,
    )
  }
}

/**
 * One, two and three servers on one database: the processor time that an event with its run of two nodes takes, of all
 * servers and of PostgreSQL, and how many are finished in a second. Tenants and servers take turns, as behind a load
 * balancer. All three are warmed up, then one after the other is stopped, so the single one is the warmest.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUp } from '../lib/person.ts'
import type { BenchServer } from '../lib/server.ts'
import { actAs, type Bench, chainOf, show, workflowsPath } from './bench.ts'

const tenants = 16
const rates = [50, 250]
const seconds = 10
const warmUp = 6000
const connections = 24
const atOnce = 2500

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

const deliverAtRate = async (scene: Scene, perSec: number): Promise<number> => {
  const startedAt = performance.now()
  const sent: Promise<void>[] = []
  for (; performance.now() < startedAt + seconds * 1000; await sleep(2))
    while (sent.length < ((performance.now() - startedAt) / 1000) * perSec) sent.push(deliverTurn(scene, sent.length))
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

/** Reads only what is left, so that asking costs little. */
const rest = async ({ pool }: Bench): Promise<void> => {
  const isResting = async (): Promise<boolean> => {
    const { rows } = await pool.query<{ rests: boolean }>(
      `select not exists (select from event_batches) and not exists (select from event_dispatches)
         and not exists (select from runs where status in ('queued', 'running', 'waiting')) as rests`,
    )
    return rows[0]?.rests === true
  }
  while (!(await isResting())) await sleep(10)
}

interface Cost {
  perSec: number
  serversMs: number
  databaseMs: number
}

const measure = async (scene: Scene, load: () => Promise<number>): Promise<Cost> => {
  const { bench, servers } = scene
  const used = () => servers.reduce((sum, server) => sum + server.processorMs(), 0)
  await sleep(2000)
  const [startedAt, usedBefore, databaseBefore] = [performance.now(), used(), bench.databaseMs()]
  const count = await load()
  await rest(bench)
  const tookMs = performance.now() - startedAt
  return {
    perSec: (count / tookMs) * 1000,
    serversMs: (used() - usedBefore) / count,
    databaseMs: (bench.databaseMs() - databaseBefore) / count,
  }
}

const loads: readonly { name: string; run(scene: Scene): Promise<number> }[] = [
  ...rates.map((rate) => ({ name: `${rate} a second`, run: (scene: Scene) => deliverAtRate(scene, rate) })),
  { name: `${connections} clients`, run: (scene) => deliverMany(scene, atOnce) },
]

export const measureThreeNodes = async (bench: Bench): Promise<void> => {
  const others = [await bench.startAnother(), await bench.startAnother()]
  try {
    for (const [name, byCount] of await measureAll(bench, [bench.server, ...others])) report(name, byCount)
  } finally {
    for (const server of others) await server.stop()
  }
}

/** By load, the costs of one server, of two and so on. */
const measureAll = async (bench: Bench, all: readonly BenchServer[]): Promise<ReadonlyMap<string, readonly Cost[]>> => {
  const hooks: Hook[] = []
  for (let number = 0; number < tenants; number += 1) hooks.push(await createHook(bench, number))
  await deliverMany({ bench, servers: all, hooks }, warmUp)
  await rest(bench)
  const costs = new Map<string, Cost[]>()
  for (let servers = all; servers.length > 0; servers = servers.slice(0, -1)) {
    for (const { name, run } of loads) {
      const scene = { bench, servers, hooks }
      costs.set(name, [await measure(scene, () => run(scene)), ...(costs.get(name) ?? [])])
    }
    if (servers.length > 1) await servers.at(-1)?.stop()
  }
  return costs
}

const report = (name: string, byCount: readonly Cost[]): void => {
  const totalOf = (cost: Cost | undefined): number => (cost ? cost.serversMs + cost.databaseMs : Number.NaN)
  for (const [index, cost] of byCount.entries()) {
    const each = `${totalOf(cost).toFixed(2)} ms an event: servers ${cost.serversMs.toFixed(2)}, database ${cost.databaseMs.toFixed(2)}`
    const ratio = (totalOf(cost) / totalOf(byCount[0])).toFixed(2)
    show(
      `${name}, ${index + 1} server${index === 0 ? '' : 's'}`,
      `${cost.perSec.toFixed(0)}/s, ${each}, ratio ${ratio}`,
    )
  }
}

/**
 * What further servers on the same machine bring and cost: throughput and processor time of ingest, GET /api/auth/me and
 * a whole completion with one server and with two under their supervisor, in alternating rounds, and the memory of each
 * process. The load, the provider and the database have the same cores: with two, twice the throughput is out of reach,
 * and what to look at is that an operation doesn't cost more.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPeer } from '../lib/child.ts'
import { load } from '../lib/load.ts'
import { signUp } from '../lib/person.ts'
import { processorMs, residentMb } from '../lib/process-facts.ts'
import { startServer } from '../lib/server.ts'

const rounds = 3
/** Another number may be given: `npm run bench -- cores 500`. */
const requests = Number(process.argv[3] ?? 3000)
/** For each kind of request: two servers compile their code each for itself. With 1,500 in all, a request cost 1.6 times as much. */
const warmUpRequests = 5 * requests
const connections = 32
const idleMs = 12_000

const events = { event_type: 'order_created', source: 'bench', payload: { amount: 1200 } }
const question = { model: 'bench', messages: [{ role: 'user', content: 'Say something.' }] }
const ingestKey = 'a-key-for-the-bench-of-cores-0000000000'

const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}
/** Of the supervisor and its servers; the database is a child of it as well, and is left out. */
const serversOf = (pid: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((other) => parentOf(other) === pid && readFileSync(`/proc/${other}/cmdline`, 'utf8').includes('serve.ts'))

const start = async (count: number, providerUrl: string) => {
  const server = await startServer({
    SVC_PROCESSES: String(count),
    SVC_EVENT_API_KEY: ingestKey,
    COMPAT_API_BASE_URL: `${providerUrl}/v1`,
  })
  await sleep(idleMs)
  const pids = [server.pid, ...serversOf(server.pid)]
  const memory = pids.map((pid) => Math.round(residentMb(pid)))
  const { token, key } = await signUp(server.url)
  const asAna = { authorization: `Bearer ${token}` }
  const operations = {
    ingest: {
      url: `${server.url}/api/v1/events/ingest`,
      headers: { 'x-api-key': ingestKey },
      body: JSON.stringify(events),
    },
    me: { url: `${server.url}/api/auth/me`, headers: asAna },
    completion: {
      url: `${server.url}/api/chat/completions`,
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(question),
    },
  }
  return { count, server, memory, operations, processorMs: () => pids.reduce((sum, pid) => sum + processorMs(pid), 0) }
}

type Started = Awaited<ReturnType<typeof start>>
type Name = keyof Started['operations']

const measure = async (one: Started, name: Name, most = requests) => {
  const before = one.processorMs()
  const { answered, tookSec, failures } = await load({ ...one.operations[name], connections, requests: most })
  const eachUs = ((one.processorMs() - before) * 1000) / Math.max(1, answered)
  return { perSec: answered / tookSec, eachUs, failures }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export const run = async (): Promise<void> => {
  const provider = await startPeer('./provider.ts')
  const machines = [await start(1, provider.url), await start(2, provider.url)]
  console.log(`${availableParallelism()} cores, shared with the load, the provider and the database`)
  for (const { count, memory } of machines)
    console.log(
      `${count} server${count > 1 ? 's' : ''}: idle ${count > 1 ? 'supervisor and servers' : 'server'} ${memory.join(', ')} MB`,
    )
  for (const name of ['ingest', 'me', 'completion'] as const) {
    const found = machines.map(() => [] as Awaited<ReturnType<typeof measure>>[])
    for (const machine of machines) await measure(machine, name, warmUpRequests)
    for (let round = 0; round < rounds; round += 1)
      for (const [at, machine] of machines.entries()) found[at]?.push(await measure(machine, name))
    const [one, two] = found.map((all) => ({
      perSec: median(all.map(({ perSec }) => perSec)),
      eachUs: median(all.map(({ eachUs }) => eachUs)),
      failures: all.reduce((sum, { failures }) => sum + failures, 0),
    }))
    if (!one || !two) continue
    console.log(
      `${name.padEnd(11)} 1: ${Math.round(one.perSec)}/s, ${Math.round(one.eachUs)} µs  2: ${Math.round(two.perSec)}/s, ${Math.round(two.eachUs)} µs  throughput ${(two.perSec / one.perSec).toFixed(2)}, processor time ${(two.eachUs / one.eachUs).toFixed(2)}, failures ${one.failures + two.failures}`,
    )
  }
  for (const { server } of machines) await server.stop()
  await provider.stop()
}

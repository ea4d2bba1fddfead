/**
 * The cost of the gateway. Whole replies and streams of twenty chunks at 1, 32 and 256 connections: directly from a
 * provider, through a bare node:http forwarder (the floor), and through Chancery with a real API key, the access check
 * and usage recording. Each in a process of its own, in many short rounds. Against the forwarder, at the median: at least
 * 0.6 of its throughput, at most 1.6 times its processor time per request, and the first byte of a stream at most 1 ms
 * later. A missed limit fails the run.
 */
import { type Answering, startAnswering } from '../events/in-lines.ts'
import { type Peer, startPeer } from '../lib/child.ts'
import { firstByteMs, median } from '../lib/first-byte.ts'
import { inTurns, showSpread, spreadOf } from '../lib/in-turns.ts'
import { signUp } from '../lib/person.ts'
import { startServer } from '../lib/server.ts'

const rounds = 9
/** Requests per round. None is interrupted: an abandoned request takes processor time but isn't counted. */
const requests = { whole: 2500, stream: 1000 }
const warmUpRounds = 3
const warmUpRequests = 10_000
const connectionCounts = [1, 32, 256]
const firstByteRounds = 300
const limits = { throughput: 0.6, processor: 1.6, firstByteMs: 1 }

const messages = [{ role: 'user', content: 'Say something of about the usual length, please.' }]
const bodies = {
  whole: JSON.stringify({ model: 'bench', messages }),
  stream: JSON.stringify({ model: 'bench', messages, stream: true }),
}
type Kind = keyof typeof bodies

interface Contender {
  name: string
  peer: Peer
  url: string
  headers: Record<string, string>
}

interface Measured {
  perSec: number
  /** Only the contender's process: the load and the provider run in their own. */
  processorMsEach: number
  p99Ms: number
  failures: number
}

interface Load {
  kind: Kind
  connections: number
}

type Send = (contender: Contender, load: Load, amount?: number) => Promise<Measured>

const sendFrom =
  (client: Answering): Send =>
  async ({ peer, url, headers }, { kind, connections }, amount = requests[kind]) => {
    const before = peer.processorMs()
    const order = {
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: bodies[kind],
      connections,
      amount,
    }
    const result = await client.ask<{ answered: number; tookSec: number; p99Ms: number; failures: number }>(
      JSON.stringify(order),
    )
    return {
      perSec: result.answered / result.tookSec,
      processorMsEach: (peer.processorMs() - before) / Math.max(1, result.answered),
      p99Ms: result.p99Ms,
      failures: result.failures,
    }
  }

const compare = async (contenders: readonly Contender[], load: Load, send: Send): Promise<string[]> => {
  // Warms up: the previous comparison was a different kind of work, which V8 compiled differently.
  for (const contender of contenders) await send(contender, load)
  const results = await inTurns(contenders, rounds, (contender) => send(contender, load))
  for (const [at, { name }] of contenders.entries()) print(name, load, results[at] ?? [])
  const [, floor = [], ours = []] = results
  const ratioOf = (read: (one: Measured) => number) =>
    spreadOf(ours.map((one, round) => read(one) / read(floor[round] ?? one)))
  const throughput = ratioOf(({ perSec }) => perSec)
  const processor = ratioOf(({ processorMsEach }) => processorMsEach)
  const failures = ours.reduce((sum, one) => sum + one.failures, 0)
  console.log(
    `${''.padEnd(30)} throughput ${showSpread(throughput)} ≥ ${limits.throughput}` +
      `  processor ${showSpread(processor)} ≤ ${limits.processor}\n`,
  )
  const label = `${load.kind} at ${load.connections}`
  return [
    ...(throughput.median < limits.throughput ? [`${label}: throughput ${showSpread(throughput)}`] : []),
    ...(processor.median > limits.processor ? [`${label}: processor ${showSpread(processor)}`] : []),
    ...(failures > 0 ? [`${label}: ${failures} requests failed`] : []),
  ]
}

const print = (name: string, { kind, connections }: Load, all: readonly Measured[]): void => {
  const of = (read: (one: Measured) => number) => spreadOf(all.map(read))
  const failures = all.reduce((sum, one) => sum + one.failures, 0)
  console.log(
    `${`${kind} ${connections}`.padEnd(12)} ${name.padEnd(17)} ${showSpread(
      of(({ perSec }) => perSec),
      0,
    )} req/s  ${showSpread(
      of(({ processorMsEach }) => processorMsEach),
      3,
    )} ms processor  p99 ${of(({ p99Ms }) => p99Ms).median} ms${failures > 0 ? `  failures ${failures}` : ''}`,
  )
}

const compareFirstByte = async (contenders: readonly Contender[]): Promise<string[]> => {
  const times = contenders.map((): number[] => [])
  for (let round = 0; round < firstByteRounds; round += 1)
    for (const [i, { url, headers }] of contenders.entries())
      times[i]?.push(await firstByteMs({ url, headers, body: bodies.stream }))
  const medians = times.map(median)
  for (const [i, { name }] of contenders.entries())
    console.log(`first byte   ${name.padEnd(17)} ${medians[i]?.toFixed(2)} ms`)
  const later = (medians[2] ?? Number.NaN) - (medians[1] ?? Number.NaN)
  console.log(`${''.padEnd(30)} ${later.toFixed(2)} ms later than the forwarder's (≤ ${limits.firstByteMs})\n`)
  return later <= limits.firstByteMs ? [] : [`first byte: ${later.toFixed(2)} ms later`]
}

/** `npm run bench -- gateway whole` measures that kind alone. */
export const run = async (): Promise<void> => {
  const asked = process.argv.slice(3)
  const kinds = (['whole', 'stream'] as const).filter((kind) => asked.length === 0 || asked.includes(kind))
  const provider = await startPeer('./provider.ts')
  const forwarder = await startPeer('./forwarder.ts', [provider.url])
  const server = await startServer({ COMPAT_API_BASE_URL: `${provider.url}/v1` })
  const { key } = await signUp(server.url)
  const path = '/v1/chat/completions'
  const contenders: Contender[] = [
    { name: 'direct', peer: provider, url: provider.url + path, headers: {} },
    { name: 'bare forwarder', peer: forwarder, url: forwarder.url + path, headers: {} },
    {
      name: 'Chancery',
      peer: server,
      url: `${server.url}/api/chat/completions`,
      headers: { authorization: `Bearer ${key}` },
    },
  ]
  const client = await startAnswering('../lib/load-in-lines.ts', [])
  const send = sendFrom(client)
  const missed: string[] = []
  // The first tens of thousands of requests measure the compiler, ours longer than the forwarder's twenty lines.
  for (let round = 0; round < warmUpRounds; round += 1)
    for (const contender of contenders)
      for (const kind of kinds) await send(contender, { kind, connections: 64 }, warmUpRequests)
  missed.push(...(await compareFirstByte(contenders)))
  for (const kind of kinds)
    for (const connections of connectionCounts) missed.push(...(await compare(contenders, { kind, connections }, send)))
  console.log(missed.length === 0 ? 'All limits are kept.' : `Missed:\n${missed.map((one) => `  ${one}`).join('\n')}`)
  if (missed.length > 0) process.exitCode = 1
  await client.stop()
  await server.stop()
  await Promise.all([forwarder.stop(), provider.stop()])
}

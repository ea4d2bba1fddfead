/**
 * The cost of the gateway. Whole replies and streams of twenty chunks at 1, 32 and 256 connections: directly from a
 * provider, through a bare node:http forwarder (the floor), and through Chancery with a real API key, the access check
 * and usage recording. Each in a process of its own. Against the forwarder: at least 0.6 of its throughput, at most 1.6
 * times its processor time per request, and the first byte of a stream at most 1 ms later. A missed limit fails the
 * run.
 */
import { type Peer, startPeer } from '../lib/child.ts'
import { firstByteMs, median } from '../lib/first-byte.ts'
import { load } from '../lib/load.ts'
import { signUp } from '../lib/person.ts'
import { startServer } from '../lib/server.ts'

const rounds = 3
/** Requests per round. None is interrupted: an abandoned request takes processor time but isn't counted. */
const requests = { whole: 6000, stream: 3000 }
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

const measure = async ({ peer, url, headers }: Contender, kind: Kind, connections: number): Promise<Measured> => {
  const before = peer.processorMs()
  const result = await load({ url, headers, body: bodies[kind], connections, requests: requests[kind] })
  return {
    perSec: result.answered / result.tookSec,
    processorMsEach: (peer.processorMs() - before) / Math.max(1, result.answered),
    p99Ms: result.p99Ms,
    failures: result.failures,
  }
}

/** The best of each figure: anything else running on the machine only makes them worse. */
const best = (all: readonly Measured[]): Measured => ({
  perSec: Math.max(...all.map((one) => one.perSec)),
  processorMsEach: Math.min(...all.map((one) => one.processorMsEach)),
  p99Ms: Math.min(...all.map((one) => one.p99Ms)),
  failures: all.reduce((sum, one) => sum + one.failures, 0),
})

const compare = async (contenders: readonly Contender[], kind: Kind, connections: number): Promise<string[]> => {
  const results = new Map<Contender, Measured[]>()
  // Warms up: the previous comparison was a different kind of work, which V8 compiled differently.
  for (const contender of contenders) await measure(contender, kind, connections)
  for (let round = 0; round < rounds; round += 1)
    for (const contender of contenders)
      results.set(contender, [...(results.get(contender) ?? []), await measure(contender, kind, connections)])
  const [, floor, ours] = contenders.map((contender) => best(results.get(contender) ?? []))
  for (const contender of contenders) print(contender.name, kind, connections, best(results.get(contender) ?? []))
  if (!floor || !ours) return ['nothing was measured']
  const label = `${kind} at ${connections}`
  const throughput = ours.perSec / floor.perSec
  const processor = ours.processorMsEach / floor.processorMsEach
  console.log(
    `${''.padEnd(30)} throughput ${throughput.toFixed(2)} (≥ ${limits.throughput})  processor ${processor.toFixed(2)} (≤ ${limits.processor})\n`,
  )
  return [
    ...(throughput < limits.throughput ? [`${label}: throughput ${throughput.toFixed(2)}`] : []),
    ...(processor > limits.processor ? [`${label}: processor ${processor.toFixed(2)}`] : []),
    ...(ours.failures > 0 ? [`${label}: ${ours.failures} requests failed`] : []),
  ]
}

const print = (name: string, kind: Kind, connections: number, { perSec, processorMsEach, p99Ms, failures }: Measured) =>
  console.log(
    `${`${kind} ${connections}`.padEnd(12)} ${name.padEnd(17)} ${Math.round(perSec).toString().padStart(6)} req/s` +
      `  ${processorMsEach.toFixed(3)} ms processor  p99 ${p99Ms} ms${failures > 0 ? `  failures ${failures}` : ''}`,
  )

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

export const run = async (): Promise<void> => {
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
  const missed: string[] = []
  // The first tens of thousands of requests measure the compiler, ours longer than the forwarder's twenty lines.
  for (let round = 0; round < warmUpRounds; round += 1)
    for (const { url, headers } of contenders)
      for (const body of Object.values(bodies))
        await load({ url, headers, body, connections: 64, requests: warmUpRequests })
  missed.push(...(await compareFirstByte(contenders)))
  for (const kind of ['whole', 'stream'] as const)
    for (const connections of connectionCounts) missed.push(...(await compare(contenders, kind, connections)))
  console.log(missed.length === 0 ? 'All limits are kept.' : `Missed:\n${missed.map((one) => `  ${one}`).join('\n')}`)
  if (missed.length > 0) process.exitCode = 1
  await server.stop()
  await Promise.all([forwarder.stop(), provider.stop()])
}

/**
 * The cost of a request beyond Fastify itself: an authenticated GET /api/auth/me, by login token and by API key,
 * against a bare Fastify hello. Limit: at least half of its throughput. Also prints the idle memory of the process
 * (limit 150 MB).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startPeer } from '../lib/child.ts'
import { type LoadResult, load } from '../lib/load.ts'
import { signUp } from '../lib/person.ts'
import { startServer } from '../lib/server.ts'

const rounds = 3
const shape = { connections: 32, seconds: 4 }

const best = (results: LoadResult[]): LoadResult =>
  results.reduce((a, b) => (b.requestsPerSec > a.requestsPerSec ? b : a))

export const run = async (): Promise<void> => {
  const [server, bare] = await Promise.all([startServer(), startPeer('./bare-fastify.ts')])
  await sleep(5000)
  const idleMb = server.residentMb()
  const { token, key } = await signUp(server.url)
  const me = `${server.url}/api/auth/me`
  const contenders = {
    'bare Fastify hello': { url: `${bare.url}/hello` },
    'GET /api/auth/me, token': { url: me, headers: { authorization: `Bearer ${token}` } },
    'GET /api/auth/me, API key': { url: me, headers: { authorization: `Bearer ${key}` } },
  }
  const results = new Map<string, LoadResult[]>()
  for (let round = 0; round < rounds; round += 1)
    for (const [name, target] of Object.entries(contenders))
      results.set(name, [...(results.get(name) ?? []), await load({ ...target, ...shape })])

  const limit = best(results.get('bare Fastify hello') ?? []).requestsPerSec
  for (const [name, all] of results) {
    const { requestsPerSec, p50Ms, p99Ms, failures } = best(all)
    const ratio = (requestsPerSec / limit).toFixed(2)
    console.log(
      `${name.padEnd(28)} ${Math.round(requestsPerSec)} req/s  ratio ${ratio}  p50 ${p50Ms} ms  p99 ${p99Ms} ms  failures ${failures}`,
    )
  }
  console.log(`idle memory of the server process: ${Math.round(idleMb)} MB (limit 150)`)
  await bare.stop()
  await server.stop()
}

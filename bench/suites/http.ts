/**
 * What a request costs beyond Fastify itself: an authenticated GET /api/auth/me, by login token and by API key, beside
 * a bare Fastify hello. Limit: at least half of its throughput. Also prints the idle memory of the process (limit 150 MB).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type LoadResult, load } from '../lib/load.ts'
import { startServer } from '../lib/server.ts'

const rounds = 3
const shape = { connections: 32, seconds: 4 }

const startBare = async (): Promise<{ url: string; stop(): void }> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../lib/bare-fastify.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return { url: String(line).trim(), stop: () => child.kill() }
}

const signUp = async (url: string): Promise<{ token: string; key: string }> => {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const reply = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await reply.json()) as Record<string, string>
  }
  const person = { name: 'Bench', email: 'bench@example.test', password: 'a perfectly fine passphrase' }
  const { token = '' } = await post('/api/auth/register', person)
  const { key = '' } = await post('/api/v1/api-keys', { name: 'bench' }, { authorization: `Bearer ${token}` })
  return { token, key }
}

const best = (results: LoadResult[]): LoadResult =>
  results.reduce((a, b) => (b.requestsPerSec > a.requestsPerSec ? b : a))

export const run = async (): Promise<void> => {
  const [server, bare] = await Promise.all([startServer(), startBare()])
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
  bare.stop()
  await server.stop()
}

/**
 * Does the time of a refused login reveal whether the address has an account? (A14) The same wrong password for a known
 * and an unknown address, alternating, on the real server with real hashes. Prints both medians and their difference
 * (limit 5 ms). Not a test, because the times depend on the machine.
 */
import { startServer } from '../lib/server.ts'

const rounds = 40

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

export const run = async (): Promise<void> => {
  const server = await startServer()
  const post = (path: string, body: object) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const known = 'known@example.test'
  await post('/api/auth/register', { name: 'Known', email: known, password: 'a perfectly fine passphrase' })

  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  const attempt = async (who: 'known' | 'unknown', email: string): Promise<void> => {
    const startedAt = performance.now()
    const reply = await post('/api/auth/login', { email, password: 'not this one' })
    await reply.text()
    times[who].push(performance.now() - startedAt)
  }
  for (let round = 0; round < rounds; round += 1) {
    await attempt('known', known)
    await attempt('unknown', 'unknown@example.test')
  }
  const [knownMs, unknownMs] = [median(times.known), median(times.unknown)]
  console.log(`refused login, known address    median ${knownMs.toFixed(1)} ms`)
  console.log(`refused login, unknown address  median ${unknownMs.toFixed(1)} ms`)
  console.log(`difference ${Math.abs(knownMs - unknownMs).toFixed(1)} ms (limit 5)`)
  await server.stop()
}

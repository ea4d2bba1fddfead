/** Load from a second process, so that the client's work is not counted as the server's. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'

export interface LoadResult {
  requestsPerSec: number
  p50Ms: number
  p99Ms: number
  failures: number
  /** Answered requests, and the time they took. */
  answered: number
  tookSec: number
}

interface Load {
  url: string
  headers?: Record<string, string>
  /** Sent by POST, as JSON. */
  body?: string
  connections: number
  /** One request per connection is interrupted at the end. */
  seconds?: number
  /** Or exactly this many, however long they take; none is interrupted. */
  requests?: number
}

const cannon = createRequire(import.meta.url).resolve('autocannon')

export const load = async ({ url, headers = {}, body, connections, seconds, requests }: Load): Promise<LoadResult> => {
  const headerArgs = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const bodyArgs = body === undefined ? [] : ['-m', 'POST', '-H', 'content-type=application/json', '-b', body]
  // autocannon checks only at intervals whether all are done.
  const until = requests === undefined ? ['-d', String(seconds)] : ['-a', String(requests), '-L', '20']
  const shape = ['-c', String(connections), ...until]
  const args = [cannon, '-j', '-n', ...shape, ...headerArgs, ...bodyArgs, url]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let json = ''
  child.stdout.on('data', (chunk) => {
    json += chunk
  })
  await once(child, 'close')
  const result = JSON.parse(json)
  return {
    requestsPerSec: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.errors + result.non2xx,
    answered: result['2xx'],
    tookSec: result.duration,
  }
}

/** Load from a second process, so that the client's work is not counted as the server's. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'

export interface LoadResult {
  requestsPerSec: number
  p50Ms: number
  p99Ms: number
  failures: number
  /** How many were answered in all. */
  answered: number
}

interface Load {
  url: string
  headers?: Record<string, string>
  /** Sent by POST, as JSON. */
  body?: string
  connections: number
  seconds: number
}

const cannon = createRequire(import.meta.url).resolve('autocannon')

export const load = async ({ url, headers = {}, body, connections, seconds }: Load): Promise<LoadResult> => {
  const headerArgs = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const bodyArgs = body === undefined ? [] : ['-m', 'POST', '-H', 'content-type=application/json', '-b', body]
  const shape = ['-c', String(connections), '-d', String(seconds)]
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
  }
}

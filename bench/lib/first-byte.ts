/** Times the first byte of a body, one request after the other over one kept connection. */
import { Agent, request } from 'node:http'

export interface Target {
  url: string
  headers?: Record<string, string>
  body: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

export const firstByteMs = ({ url, headers = {}, body }: Target): Promise<number> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let firstAt: number | undefined
    const sent = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } },
      (reply) => {
        if (reply.statusCode !== 200) reject(new Error(`${url} answered ${reply.statusCode}`))
        reply.on('data', () => {
          firstAt ??= performance.now()
        })
        reply.on('end', () => resolve((firstAt ?? performance.now()) - startedAt))
        reply.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

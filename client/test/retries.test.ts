/** What is tried again, against a server that fails as told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSpace } from '@chancery/contract/endpoints/catalogs.ts'
import { complete } from '@chancery/contract/endpoints/completions.ts'
import { followEvents, ingestEvent } from '@chancery/contract/endpoints/events.ts'
import { getReadiness } from '@chancery/contract/endpoints/platform.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { Client, streamCompletion } from '../src/index.ts'
import { collect } from './collect.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void
let answers: Answer[] = []
let requests: IncomingMessage[] = []
let waits: number[] = []

const server = createServer((request, response) => {
  request.resume()
  requests.push(request)
  const answer = answers.shift()
  if (answer) answer(request, response)
  else response.destroy()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const client = new Client({ url, wait: async (ms) => void waits.push(ms) })
afterAll(() => server.close())
beforeEach(() => {
  answers = []
  requests = []
  waits = []
})

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const refuses = (status: number, code: string, headers?: Record<string, string>): Answer =>
  says(status, { detail: 'Not now.', code, request_id: 'r1' }, headers)
const cuts: Answer = (_request, response) => response.destroy()
const streams =
  (text: string, isCut = false): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text, () => (isCut ? response.destroy() : response.end()))
  }

const space = { body: { name: 'a' } }
const event = { body: { event_type: 'order_placed' } }
const stored = {
  event_id: '01900000-0000-7000-8000-000000000001',
  event_type: 'order_placed',
  correlation_id: 'c',
  source: 's',
  published_at: 1,
  duplicate: false,
}

describe('a call that failed', () => {
  it('is made again where the server did nothing, after the time it asked for', async () => {
    answers = [
      refuses(429, 'too_many_requests', { 'retry-after': '7' }),
      refuses(503, 'database_full'),
      refuses(422, 'validation_failed'),
    ]
    await expect(client.call(createSpace, space)).rejects.toMatchObject({ code: 'validation_failed' })
    expect(requests).toHaveLength(3)
    expect(waits[0]).toBe(7000)
  })

  it('is not made again where it may have been done', async () => {
    answers = [cuts]
    await expect(client.call(createSpace, space)).rejects.toMatchObject({ code: 'unreachable', status: 0 })
    answers = [says(502, 'a proxy')]
    await expect(client.call(createSpace, space)).rejects.toMatchObject({ code: 'unexpected_reply', status: 502 })
    expect(requests).toHaveLength(2)
  })

  it('is made again under the same key where the endpoint takes one', async () => {
    answers = [cuts, says(502, 'a proxy'), says(202, stored)]
    await expect(client.call(ingestEvent, event)).resolves.toEqual(stored)
    const keys = requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(keys).size).toBe(1)
  })

  it('fails after three more tries, or at once where the server asks for too long a wait', async () => {
    await expect(client.call(getReadiness)).rejects.toMatchObject({ code: 'unreachable' })
    expect(requests).toHaveLength(4)
    answers = [refuses(429, 'too_many_requests', { 'retry-after': '3600' })]
    await expect(client.call(getReadiness)).rejects.toMatchObject({ retryAfterSec: 3600 })
    expect(requests).toHaveLength(5)
  })
})

describe('a reply that is none of ours', () => {
  it('is said to be of another version', async () => {
    answers = [says(200, { healthy: 'very' })]
    await expect(client.call(getReadiness)).rejects.toThrow('server and client have the same version')
  })

  it('does not take the credential to another address', async () => {
    answers = [says(302, '', { location: 'https://elsewhere.example/' })]
    await expect(client.call(getReadiness)).rejects.toThrow('https://elsewhere.example/')
  })
})

describe('a stream that is none', () => {
  const page: Answer = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Welcome</title>')
  const refusal = { code: 'unexpected_reply', status: 200 }

  it('such as a page of something else, is refused instead of being read as an empty one', async () => {
    answers = [page]
    const body = { model: 'any', messages: [] }
    await expect(collect(streamCompletion(client, body))).rejects.toMatchObject(refusal)
    answers = [page]
    await expect(collect(client.follow(followEvents, {}))).rejects.toMatchObject(refusal)
    expect(requests).toHaveLength(2)
  })
})

describe('a stream that breaks', () => {
  it('is opened again from its last event', async () => {
    answers = [
      streams('id: 4\ndata: a\n\n', true),
      cuts,
      cuts,
      cuts,
      cuts,
      streams('id: 5\ndata: b\n\n'),
      refuses(403, 'forbidden'),
    ]
    const seen: string[] = []
    const read = async () => {
      for await (const { data } of client.follow(followEvents, {})) seen.push(data)
    }
    await expect(read()).rejects.toMatchObject({ code: 'forbidden' })
    expect(seen).toEqual(['a', 'b'])
    expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '4', '4', '4', '4', '4', '5'])
  })
})

describe("a model's reply", () => {
  const body = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] }

  it('comes frame by frame', async () => {
    answers = [streams('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n')]
    const frames = await collect(streamCompletion(client, body))
    expect(frames).toEqual([{ choices: [{ delta: { content: 'Hi' } }] }])
    expect(requests[0]).toMatchObject({ method: complete.method, url: complete.path })
  })

  it('throws what went wrong after it began', async () => {
    answers = [
      streams(
        'data: {"choices":[]}\n\ndata: {"error":{"message":"The provider hung up.","code":"provider_failed"}}\n\n',
      ),
    ]
    await expect(collect(streamCompletion(client, body))).rejects.toThrow('The provider hung up.')
  })

  it('throws where it ends too early, or has what nobody can read', async () => {
    answers = [streams('data: {"choices":[]}\n\n')]
    await expect(collect(streamCompletion(client, body))).rejects.toMatchObject({ code: 'stream_failed' })
    answers = [streams('data: {"choices"\n\n')]
    await expect(collect(streamCompletion(client, body))).rejects.toMatchObject({ code: 'stream_failed' })
  })
})

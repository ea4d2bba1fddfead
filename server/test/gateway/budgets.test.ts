/** People who try to get more out of the models than their budget, through every door. */
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import type { Person } from '#test/harness/people.ts'
import { gate, type PeerRequest, startModelProvider } from '#test/peers/model-provider.ts'
import { startModelRuntime } from '#test/peers/model-runtime.ts'

const provider = await startModelProvider({ models: ['swift'] })
const runtime = await startModelRuntime({ models: ['tiny:latest'] })
/** Named, so that reservations are shared; the database is the harness's. */
const DATABASE_URL = 'postgres://127.0.0.1/shared'
const env = { COMPAT_API_BASE_URL: provider.url, UPSTREAM_BASE_URL: runtime.url, DATABASE_URL }
const app = await testApp({ env })
const other = await testApp({ env, databaseUrl: app.databaseUrl })
const owner = await app.platformOwner()
afterAll(() => Promise.all([provider.close(), runtime.close()]))

const budget = 5000
const completions = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Tell me a story.' }]
const limited = async (tokens = budget): Promise<Person> => {
  const person = await app.user()
  const limit = { subject_type: 'user', subject_id: person.id, tokens_per_day: tokens }
  expect((await owner.post('/api/v1/usage/limits', limit)).status).toBe(201)
  for (const node of [person, createClient(other.url, bearer(person.token))])
    await vi.waitFor(async () =>
      expect((await node.get('/api/v1/usage/allowance')).body.tokens_today.limit).toBe(tokens),
    )
  return person
}
const usedBy = async (person: Person): Promise<number> =>
  (await person.get('/api/v1/usage/allowance')).body.tokens_today.used

const limits = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'num_predict']
/** The tokens that a request allows its answer. */
const allowedBy = ({ body }: PeerRequest): number => {
  const given = [body, body.options ?? {}].flatMap((fields) => limits.flatMap((name) => fields[name] ?? []))
  const most = given.some((limit) => limit < 0) ? Number.POSITIVE_INFINITY : Math.max(0, ...given)
  return most * Math.max(1, body.n ?? 1, body.best_of ?? 1)
}
let before = { provider: 0, runtime: 0 }
const callsSince = () => [...provider.calls().slice(before.provider), ...runtime.calls().slice(before.runtime)]
const letThrough = (): number =>
  callsSince()
    .map(allowedBy)
    .reduce((sum, tokens) => sum + tokens, 0)

beforeEach(() => {
  provider.usually({})
  runtime.usually({})
  before = { provider: provider.calls().length, runtime: runtime.calls().length }
})

describe('calls at the same time', () => {
  it.each([
    ['a hundred answers each', completions, { model: 'swift', n: 100, max_tokens: 400 }],
    ['a hundred answers each, in a stream', completions, { model: 'swift', n: 100, max_tokens: 400, stream: true }],
    ['the larger of two limits', completions, { model: 'swift', max_tokens: 1, max_completion_tokens: 9000 }],
    ['a limit as text', completions, { model: 'swift', max_tokens: '9000' }],
    [
      "a runtime's own limit beside another",
      completions,
      { model: 'tiny:latest', max_tokens: 1, options: { num_predict: 9000 } },
    ],
    [
      'no limit at all in words of the runtime',
      completions,
      { model: 'tiny:latest', max_tokens: 1, options: { num_predict: -1 } },
    ],
    [
      'a hundred answers past the pipeline',
      '/upstream/v1/chat/completions',
      { model: 'swift', n: 100, max_tokens: 400 },
    ],
    [
      'texts of which the best is taken',
      '/upstream/v1/completions',
      { model: 'swift', prompt: 'x', best_of: 50, max_tokens: 400 },
    ],
    [
      "a runtime's own limit",
      '/upstream/api/chat',
      { model: 'tiny:latest', max_tokens: 1, options: { num_predict: 9000 } },
    ],
    [
      "a runtime's own limit of a text",
      '/upstream/api/generate',
      { model: 'tiny:latest', prompt: 'x', options: { num_predict: 9000 } },
    ],
    ['a limit of the responses API', '/api/responses', { model: 'swift', input: 'x', max_output_tokens: 9000 }],
  ])('with %s get no more than the budget, on two nodes', async (_what, path, body) => {
    const ana = await limited()
    const there = createClient(other.url, bearer(ana.token))
    const hold = gate()
    for (const peer of [provider, runtime]) peer.usually({ gate: hold, text: 'Once.' })
    let refused = 0
    const asked = Array.from({ length: 20 }, async (_, index) => {
      const { status } = await (index % 2 ? ana : there).post(path, { messages, ...body })
      if (status === 429) refused += 1
    })
    await vi.waitFor(() => expect(refused + callsSince().length).toBe(20), 20_000)
    hold.openForGood()
    await Promise.all(asked)
    expect(letThrough()).toBeLessThanOrEqual(budget)
    expect(letThrough()).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  })
})

describe('a call that nobody waits for', () => {
  /** Asks and hangs up once the model has the request. */
  const abandon = async (person: Person, path: string, body: object): Promise<number | 'abandoned'> => {
    const count = provider.calls().length
    const caller = new AbortController()
    const asked = fetch(app.url + path, {
      method: 'POST',
      headers: { ...bearer(person.token), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'swift', messages, ...body }),
      signal: caller.signal,
    }).then(
      ({ status }) => status,
      () => 'abandoned' as const,
    )
    await Promise.race([asked, provider.call(count + 1)])
    const isSent = provider.calls().length > count
    if (isSent) caller.abort()
    return isSent ? 'abandoned' : asked
  }

  it.each([
    ['in one piece', completions, {}],
    ['in a stream', completions, { stream: true }],
    ['past the pipeline', '/upstream/v1/chat/completions', {}],
    ['past the pipeline, in a stream', '/upstream/v1/chat/completions', { stream: true }],
  ])(
    '%s costs what it could have cost, and once the budget is spent nothing more is sent',
    async (_how, path, body) => {
      const ana = await limited()
      provider.usually({ hangs: true })
      const outcomes: (number | 'abandoned')[] = []
      for (let turn = 0; turn < 10; turn += 1) {
        outcomes.push(await abandon(ana, path, { ...body, n: 10, max_tokens: 200 }))
        // Until it is settled, it holds its reservation.
        await vi.waitFor(async () =>
          expect(await usedBy(ana)).toBeGreaterThanOrEqual(Math.min(2000 * (turn + 1), 4900)),
        )
      }
      expect(outcomes.slice(0, 2)).toEqual(['abandoned', 'abandoned'])
      expect(outcomes.slice(3)).toEqual(Array(7).fill(429))
      expect(letThrough()).toBeLessThanOrEqual(budget)
    },
  )

  it('is charged for what came of its stream', async () => {
    const ana = await limited()
    const hold = gate()
    provider.usually({ chunks: Array(50).fill('x'.repeat(400)), gate: hold })
    const caller = new AbortController()
    const reply = await Promise.all([
      fetch(app.url + completions, {
        method: 'POST',
        headers: { ...bearer(ana.token), 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'swift', messages, stream: true, max_tokens: 4000 }),
        signal: caller.signal,
      }),
      hold.open(5),
    ])
    const reader = reply[0].body?.getReader()
    for (let text = ''; text.length < 2000; ) text += new TextDecoder().decode((await reader?.read())?.value)
    caller.abort()
    await vi.waitFor(async () => expect(await usedBy(ana)).toBe(5 * 100 + 4))
  })
})

it.each([completions, '/upstream/v1/chat/completions'])(
  'ends a stream that outgrows the budget, and says so (%s)',
  async (path) => {
    const ana = await limited()
    // No limit is asked for, and the model tells no usage.
    provider.usually({ chunks: Array(2000).fill('x'.repeat(400)), usage: null })
    const { text } = await ana.post(path, { model: 'swift', messages, stream: true })
    expect(text).toContain('usage_limit_reached')
    // What had arrived together with the last that fits, at most 64 KiB, may come too.
    expect((text.match(/x{400}/g) ?? []).length).toBeLessThan(500)
  },
)

it('lowers a limit to what is left, and refuses a request that is larger than that', async () => {
  const ana = await limited(100)
  provider.usually({ usage: { prompt: 5, completion: 10 } })
  expect((await ana.post(completions, { model: 'swift', messages, max_tokens: 4000 })).status).toBe(200)
  expect(callsSince().at(-1)?.body.max_tokens).toBe(96)
  expect((await ana.post(completions, { model: 'swift', messages })).status).toBe(200)
  expect(callsSince().at(-1)?.body.max_tokens).toBe(81)
  const long = [{ role: 'user', content: 'x'.repeat(1000) }]
  const refused = await ana.post(completions, { model: 'swift', messages: long })
  expect(refused).toMatchObject({ status: 429, body: { code: 'usage_limit_reached' } })
  expect(refused.body.detail).toMatch(/^Your limit has 70 tokens left, and this request needs at least 251\./)
  expect(callsSince()).toHaveLength(2)
})

it.each([9e11, -5, 'many', 1e308, null])('takes no nonsense for usage: %s', async (nonsense) => {
  const ana = await limited()
  const usage = { prompt_tokens: nonsense, completion_tokens: nonsense, total_tokens: nonsense }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }]
  provider.usually({
    bytes: JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'swift', choices, usage }),
  })
  await ana.post(completions, { model: 'swift', messages, max_tokens: 50 })
  expect(await usedBy(ana)).toBeLessThanOrEqual(60)
})

/** One caller's prompts make a model fail, again and again. Nobody else may notice. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import type { Person } from '#test/harness/people.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
afterAll(() => provider.close())

const ask = (person: Person, more: object = {}, path = '/api/chat/completions') =>
  person.post(path, { model: 'swift', messages: [{ role: 'user', content: 'Hello' }], ...more })

beforeEach(() => {
  app.clock.forward({ minutes: 10 })
  provider.usually({})
})

const frame = (error: object) => ({ bytes: `data: ${JSON.stringify({ error })}\n\n`, contentType: 'text/event-stream' })

describe('a model that fails for one caller', () => {
  it.each([
    ['with an error frame', { stream: true }, frame({ message: 'Something went wrong' })],
    ['with an error instead of a reply', {}, { bytes: '{"error":{"message":"Something went wrong"}}' }],
    ['with 500', {}, { fail: { status: 500 } }],
    ['by cutting the connection', { stream: true }, { bytes: '' }],
  ])('%s is paused for them, and answers everybody else', async (_how, more, behaviour) => {
    const [eve, ana] = [await app.user(), await app.user()]
    provider.usually(behaviour)
    for (let turn = 0; turn < 12; turn += 1) expect((await ask(eve, more)).text).toContain('provider_failed')
    provider.usually({})
    for (let turn = 0; turn < 5; turn += 1) expect((await ask(ana)).status).toBe(200)
  })

  it('more than three times in a row is not asked for them, until the pause is over', async () => {
    const eve = await app.user()
    provider.usually({ fail: { status: 500 } })
    const before = provider.calls().length
    for (let turn = 0; turn < 8; turn += 1) await ask(eve)
    expect(provider.calls().length - before).toBe(3)
  })

  it.each([
    [
      'a context that is too long',
      { message: 'too long', type: 'invalid_request_error', code: 'context_length_exceeded' },
    ],
    ['a policy on contents', { message: 'no', code: 'content_policy_violation' }],
    ['an image', { message: 'Could not process image' }],
    ['a status', { message: 'no', code: 400 }],
  ])('because of %s, told in a frame, is not even paused for them', async (_what, error) => {
    const eve = await app.user()
    const before = provider.calls().length
    provider.usually(frame(error))
    for (let turn = 0; turn < 8; turn += 1) await ask(eve, { stream: true })
    expect(provider.calls().length - before).toBe(8)
  })

  it('and for two others too is paused for all', async () => {
    provider.usually({ fail: { status: 500 } })
    for (let turn = 0; turn < 3; turn += 1) await ask(await app.user())
    const before = provider.calls().length
    expect((await ask(await app.user())).status).toBe(502)
    expect(provider.calls()).toHaveLength(before)
  })
})

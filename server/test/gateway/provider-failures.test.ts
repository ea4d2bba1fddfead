/**
 * The error that people read when a provider fails: its own words, and for administrators alone its words about our
 * key.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

/** One for each call: a model that fails three times in a row is paused. */
const names = Array.from({ length: 20 }, (_, index) => `model-${index}`)
const provider = await startModelProvider({ models: names })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const [ana, owner] = await Promise.all([app.user(), app.platformOwner()])
afterAll(() => provider.close())

const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Hello' }]
const failWith = (status: number, message: string) =>
  provider.script({ fail: { status, body: { error: { message } } } })

describe('a provider that fails', () => {
  it.each([
    [500, 'provider_failed', 'The model failed: Out of memory.'],
    [429, 'provider_busy', 'The model is busy: Out of memory.'],
    [504, 'provider_timeout', "The model didn't respond in time: Out of memory."],
  ])('with %i is heard in its own words', async (status, code, detail) => {
    for (const more of [{}, { stream: true }, { features: { memory: true } }]) {
      failWith(status, 'Out of memory.')
      const reply = await ana.post(path, { model: names.pop(), messages, ...more })
      expect(reply.body).toMatchObject({ code, detail })
    }
    const model = names.pop() ?? ''
    const chat = await prepareChat(ana, { model })
    failWith(status, 'Out of memory.')
    await ana.post(path, { model, ...chat.body })
    expect((await chat.message()).error).toEqual({ code, content: detail })
  })

  it('and repeats a key is heard without the key, and with the words after it', async () => {
    failWith(500, 'The key sk-abcdefghijkl1234, from the request (Bearer abcdefghijkl1234), is used up; wait.')
    const reply = await ana.post(path, { model: names.pop(), messages })
    expect(reply.body.detail).toBe('The model failed: The key sk-…, from the request (Bearer …), is used up; wait.')
  })

  it('because of our key is heard by administrators, and not by those who chat', async () => {
    const words = 'Incorrect API key for organization acme.'
    failWith(401, words)
    expect((await ana.post(path, { model: names.pop(), messages })).text).not.toContain('acme')
    provider.listsModels({ fail: { status: 401, body: { error: { message: words } } } })
    const tested = await owner.post('/api/v1/connections/test', { type: 'compat', name: 'Mine', url: provider.url })
    expect(tested.body.problem).toContain(words)
  })
})

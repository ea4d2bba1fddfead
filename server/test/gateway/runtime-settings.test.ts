/** Settings of a shared local runtime that callers may send, at every door that leads to one. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { startModelRuntime } from '#test/peers/model-runtime.ts'

const runtime = await startModelRuntime({ models: ['tiny:latest'] })
const app = await testApp({ env: { UPSTREAM_BASE_URL: runtime.url } })
const [ana, owner] = await Promise.all([app.user(), app.platformOwner()])
afterAll(() => runtime.close())

const machines = { num_ctx: 131_072, num_gpu: 0, num_thread: 1, num_batch: 1, use_mmap: false, main_gpu: 1 }
const settings = {
  keep_alive: 0,
  ...machines,
  options: { ...machines, keep_alive: '-0s', temperature: 0.5, stop: ['x'] },
}
/** As a server written in Go reads them all the same. */
const spelled = {
  Keep_Alive: '-0s',
  KEEP_ALIVE: 0,
  '\u212Aeep_alive': 0,
  'u\u017Fe_mmap': false,
  OPTIONS: { num_ctx: 1 },
  'Option\u017F': { num_gpu: 0 },
}
const names = /keep_alive|num_ctx|num_gpu|num_thread|num_batch|mmap|main_gpu/i

const messages = [{ role: 'user', content: 'Hello' }]
const doors: readonly (readonly [string, Record<string, unknown>])[] = [
  ['/api/chat/completions', { messages }],
  ['/api/chat/completions', { messages, stream: true, features: { memory: true } }],
  ['/api/v1/messages', { messages, max_tokens: 9 }],
  ['/api/responses', { input: 'Hello' }],
  ['/upstream/api/chat', { messages }],
  ['/upstream/api/generate', { prompt: 'Hello' }],
  ['/upstream/api/embed', { input: ['Hello'] }],
  ['/upstream/v1/chat/completions', { messages }],
  ['/upstream/v1/completions', { prompt: 'Hello' }],
  ['/upstream/v1/embeddings', { input: ['Hello'] }],
]
const heard = () => runtime.requests.filter(({ method }) => method === 'POST').at(-1)

describe('how a runtime keeps and shapes its models', () => {
  it.each(doors)('is not for a person to set through %s %j, and no error either', async (path, body) => {
    for (const more of [settings, spelled]) {
      const count = runtime.requests.length
      const reply = await ana.post(path, { ...more, ...body, model: 'tiny:latest' })
      expect(reply.status).toBeLessThan(300)
      expect(runtime.requests.length).toBeGreaterThan(count)
      expect(heard()?.bytes.toString().normalize('NFKC')).not.toMatch(names)
    }
  })

  it('leaves a caller what concerns their own reply', async () => {
    await ana.post('/upstream/api/chat', { ...settings, messages, model: 'tiny:latest' })
    expect(heard()?.body.options).toEqual({ temperature: 0.5, stop: ['x'] })
    await ana.post('/api/chat/completions', { ...settings, top_k: 3, messages, model: 'tiny:latest' })
    expect(heard()?.body.options).toEqual({ top_k: 3, temperature: 0.5, stop: ['x'] })
  })

  it('is for the platform admin to set, and for the models that they make', async () => {
    await owner.post('/upstream/api/chat', {
      keep_alive: '1h',
      options: { num_ctx: 9 },
      messages,
      model: 'tiny:latest',
    })
    expect(heard()?.body).toMatchObject({ keep_alive: '1h', options: { num_ctx: 9 } })
    const record = { name: 'Long', base_model_id: 'tiny:latest', params: { num_ctx: 8192, keep_alive: '1h' } }
    expect((await owner.post('/api/v1/models/create', { id: 'long', ...record })).status).toBeLessThan(300)
    for (const path of ['/api/chat/completions', '/upstream/api/chat']) {
      await ana.post(path, { num_ctx: 1, keep_alive: 0, options: { num_ctx: 1 }, messages, model: 'long' })
      expect(heard()?.body).toMatchObject({ keep_alive: '1h', options: { num_ctx: 8192 } })
    }
  })

  it('is not in the models that people make', async () => {
    const params = { ...settings, top_k: 3 }
    const made = await ana.post('/api/v1/models/create', {
      id: 'mine',
      name: 'Mine',
      base_model_id: 'tiny:latest',
      params,
    })
    expect(made.status).toBeLessThan(300)
    for (const path of ['/api/chat/completions', '/upstream/api/chat']) {
      await ana.post(path, { messages, model: 'mine' })
      expect(heard()?.bytes.toString()).not.toMatch(names)
      expect(heard()?.body.options).toMatchObject({ top_k: 3, temperature: 0.5 })
    }
  })

  it('stays as it was in an administrator’s model that a person may change', async () => {
    const grants = [{ principal_type: 'user', principal_id: ana.id, permission: 'write' }]
    const params = { num_ctx: 4096, options: { num_gpu: 2, seed: 1 } }
    const record = { id: 'ours', name: 'Ours', base_model_id: 'tiny:latest', params, access_grants: grants }
    expect((await owner.post('/api/v1/models/create', record)).status).toBeLessThan(300)
    const patch = { params: { num_ctx: 1, num_gpu: 0, temperature: 0.1, options: { num_gpu: 0, seed: 2 } } }
    expect((await ana.post('/api/v1/models/model/update?id=ours', patch)).status).toBeLessThan(300)
    await ana.post('/api/chat/completions', { messages, model: 'ours' })
    expect(heard()?.body.options).toEqual({ num_ctx: 4096, num_gpu: 2, temperature: 0.1, seed: 2 })
  })
})

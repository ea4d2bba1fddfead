/** A07 below the doors: the model a backend is asked for is the one that was allowed. */
import { afterAll, expect, it } from 'vitest'
import { testModels } from '#test/harness/models.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startModelRuntime } from '#test/peers/model-runtime.ts'

const provider = await startModelProvider({ models: ['swift', 'secret'] })
const runtime = await startModelRuntime({ models: ['tiny'] })
afterAll(() => Promise.all([provider.close(), runtime.close()]))
const { ask } = await testModels({ COMPAT_API_BASE_URL: provider.url, UPSTREAM_BASE_URL: runtime.url })

it.each([
  ['swift', provider],
  ['tiny', runtime],
])('asks for %s alone, also where the request names another in other letters', async (model, peer) => {
  for (const stream of [false, true]) await ask(model, { model: 'secret', Model: 'secret', MODEL: 'secret', stream })
  for (const { body } of peer.calls())
    expect(Object.entries(body).filter(([name]) => name.toLowerCase() === 'model')).toEqual([['model', model]])
  expect(peer.calls()).toHaveLength(2)
})

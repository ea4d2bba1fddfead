/** Access to plugins. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { createPluginAuthor } from '#test/harness/plugins.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const owner = await app.platformOwner()
const { add, addFilter, remove } = createPluginAuthor(owner)
const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Say it.' }]
const lastSent = () => provider.calls().at(-1)?.body

describe('access_grants of a function', () => {
  it('decide who runs an action, names a filter and asks a pipe; a filter of everybody still runs for everybody', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const granted = { access_grants: [{ principal_type: 'user', principal_id: ana.id, permission: 'read' }] }
    const action = await add('functions', "export class Action { action() { return 'ran' } }", granted)
    const run = (person: typeof ana) =>
      person.post(`/api/chat/actions/${action}`, { model: 'swift', messages: [{ role: 'assistant', content: 'noon' }] })
    expect(await run(ana)).toMatchObject({ status: 200, body: { result: 'ran' } })
    expect(await run(ben)).toMatchObject({ status: 404, body: { code: 'plugin_not_found' } })

    const marking = "toggle = true; inlet(body) { body.messages[0].content = 'marked'; return body }"
    const filter = await addFilter(marking, granted)
    const usable = async (person: typeof ana) => (await person.get('/api/v1/functions/usable')).text
    expect(await usable(ana)).toContain(action)
    expect(await usable(ana)).toContain(filter)
    expect(await usable(ben)).not.toContain(action)
    expect(await usable(ben)).not.toContain(filter)
    const ask = (person: typeof ana, more: object) => person.post(path, { model: 'swift', messages, ...more })
    expect(await ask(ana, { filter_ids: [filter] })).toMatchObject({ status: 200 })
    expect(await ask(ben, { filter_ids: [filter] })).toMatchObject({ status: 400 })

    const everywhere = "inlet(body) { body.messages[0].content = 'checked'; return body }"
    const global = await addFilter(everywhere, granted)
    await owner.post(`/api/v1/functions/id/${global}/toggle/global`)
    expect(await ask(ben, {})).toMatchObject({ status: 200 })
    expect(lastSent().messages[0].content).toBe('checked')
    await remove('functions', global)

    const pipe = await add('functions', "export class Pipe { pipe() { return 'piped' } }", granted)
    expect(await ask(ana, { model: pipe })).toMatchObject({ status: 200 })
    expect((await ask(ben, { model: pipe })).status).toBe((await ask(ben, { model: 'no such model' })).status)
    expect((await ben.get('/api/models')).text).not.toContain(pipe)
  })
})

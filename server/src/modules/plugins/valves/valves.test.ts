/** Settings of the instance and of each person, through the whole app. */
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

describe('settings of the instance', () => {
  it('keeps secrets: encrypted, never shown, kept by their placeholder', async () => {
    const settings = `static Valves = { key: { type: 'string', secret: true }, unit: { type: 'string', default: 'km' } }`
    const id = await add(
      'tools',
      `export class Tools { ${settings}; show() { return this.valves.key + this.valves.unit } }`,
    )
    const valves = `/api/v1/tools/id/${id}/valves`
    const saved = await owner.post(`${valves}/update`, { valves: { key: 'top-secret', unit: 'mi' } })
    expect(saved.body).toEqual({ valves: { key: '********', unit: 'mi' } })
    await owner.post(`${valves}/update`, { valves: { key: '********' } })
    const { sealedValves } = await app.db
      .selectFrom('plugins')
      .select('sealedValves')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(sealedValves).not.toContain('top-secret')
    provider.script({ toolCalls: [{ name: 'show', arguments: {} }] }, { text: 'Done.' })
    await (await app.user()).post(path, { model: 'swift', messages, tool_ids: [id] })
    expect(lastSent().messages.at(-1)).toMatchObject({ role: 'tool', content: 'top-secretkm' })
    for (const wrong of [{ unit: 7 }, { other: 'x' }])
      expect(await owner.post(`${valves}/update`, { valves: wrong })).toMatchObject({ status: 422 })
    await remove('tools', id)
  })

  it('refuse what their own filter protects, and nothing else', async () => {
    const [broken, fine] = [
      await addFilter('inlet(body) { return body }'),
      await addFilter('inlet(body) { return body }'),
    ]
    await app.db.updateTable('plugins').set({ sealedValves: 'v1.a.b.c' }).where('id', '=', broken).execute()
    await owner.post(`/api/v1/functions/id/${fine}/toggle`)
    await owner.post(`/api/v1/functions/id/${fine}/toggle`)
    const ana = await app.user()
    expect(await ana.post(path, { model: 'swift', messages, filter_ids: [fine] })).toMatchObject({ status: 200 })
    expect(await ana.post(path, { model: 'swift', messages, filter_ids: [broken] })).toMatchObject({ status: 400 })
    for (const id of [broken, fine]) await remove('functions', id)
  })
})

describe('settings of each person', () => {
  it('gives every person their own settings', async () => {
    const settings = `static UserValves = { tone: { type: 'string', default: 'kind' }, pin: { type: 'string', secret: true } }`
    const id = await add(
      'tools',
      `export class Tools { ${settings}
        tone(args, { __user__ }) { return __user__.name + ' ' + __user__.valves.tone }
        leak(args, { __user__ }) { console.log(__user__.valves); throw new Error('Wrong: ' + __user__.valves.pin) }
      }`,
    )
    const [ana, ben] = [await app.user({ name: 'Ana' }), await app.user({ name: 'Ben' })]
    const own = `/api/v1/tools/id/${id}/valves/user`
    const saved = await ana.post(`${own}/update`, { valves: { tone: 'dry', pin: '1234' } })
    expect(saved.body).toEqual({ valves: { tone: 'dry', pin: '********' } })
    expect((await ben.get(own)).body).toEqual({ valves: { tone: 'kind' } })
    for (const [person, words] of [
      [ana, 'Ana dry'],
      [ben, 'Ben kind'],
    ] as const) {
      provider.script({ toolCalls: [{ name: 'tone', arguments: {} }] }, { text: 'Done.' })
      await person.post(path, { model: 'swift', messages, tool_ids: [id] })
      expect(lastSent().messages.at(-1).content).toBe(words)
    }
    // Secrets are in no log and in no failure, where others would read them.
    provider.script({ toolCalls: [{ name: 'leak', arguments: {} }] }, { text: 'Done.' })
    await ana.post(path, { model: 'swift', messages, tool_ids: [id] })
    expect(lastSent().messages.at(-1).content).toBe('Error: Wrong: ********')
    await expect.poll(async () => (await owner.get(`/api/v1/tools/id/${id}/logs`)).body.items.length).toBe(2)
    const logs = (await owner.get(`/api/v1/tools/id/${id}/logs`)).text
    expect(logs).toContain('dry')
    expect(logs).not.toContain('1234')
    await remove('tools', id)
  })

  it('A41: checks values off the server: a pattern that takes exponential time costs the call that sent it', async () => {
    const settings = `static UserValves = { code: { type: 'string', pattern: '^(a+)+$' } }`
    const id = await add('tools', `export class Tools { ${settings}; show() {} }`)
    const [ana, ben] = [await app.user(), await app.user()]
    const own = `/api/v1/tools/id/${id}/valves/user`
    const hostile = ana.post(`${own}/update`, { valves: { code: `${'a'.repeat(60)}!` } })
    expect((await ben.get(own)).status).toBe(200)
    expect(await hostile).toMatchObject({ status: 422, body: { code: 'plugin_invalid' } })
    expect(await ana.post(`${own}/update`, { valves: { code: 'aaa' } })).toMatchObject({ status: 200 })
    expect(await ana.post(`${own}/update`, { valves: { code: 'b' } })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'valves', 'code'], type: 'pattern' }] },
    })
    await remove('tools', id)
  })

  it('with settings of each person is listed for those who may use it', async () => {
    const source = "export class Tools { static UserValves = { unit: { type: 'string' } }; look() {} }"
    const [open, closed] = [await add('tools', source), await add('tools', source, { access_grants: [] })]
    const ids = (await (await app.user()).get('/api/v1/functions/personal')).body.items.map(
      (item: { id: string }) => item.id,
    )
    expect(ids).toContain(open)
    expect(ids).not.toContain(closed)
  })
})

/** Actions of plugins, run on a message through the whole app. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { createPluginAuthor, openBrowser } from '#test/harness/plugins.ts'
import { documentsPath, makeDraft } from '#test/harness/signing.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url, WEBSOCKET_EVENT_CALLER_TIMEOUT: '30' } })
const owner = await app.platformOwner()
const { add, remove } = createPluginAuthor(owner)
const messages = [{ role: 'user', content: 'Say it.' }]

describe('actions', () => {
  it('run on a message of the caller, with events, and answer with what they return', async () => {
    const id = await add(
      'functions',
      `export class Action {
      async action(body, { __event_emitter__, __message_id__ }) {
        await __event_emitter__({ type: 'embeds', data: { embeds: ['https://example.test/'] } })
        await __event_emitter__({ type: 'chat:completion', data: { seq: 1, choices: [{ delta: { content: 'One ' } }] } })
        await __event_emitter__({ type: 'chat:message:delta', data: { content: 'two' } })
        await __event_emitter__({ type: 'chat:title', data: 'By an action' })
        await __event_emitter__({ type: 'chat:tags', data: ['by-an-action'] })
        return { last: body.messages.at(-1).content, on: __message_id__ }
      }
    }`,
    )
    const [ana, ben] = [await app.user(), await app.user()]
    const { seen } = await openBrowser(app.url, ana)
    const chat = await prepareChat(ana, { title: 'Mine' })
    // Named and tagged by a person.
    await ana.post(`/api/v1/chats/${chat.chatId}`, { chat: { title: 'My own', tags: ['mine'] } })
    const body = {
      model: 'swift',
      chat_id: chat.chatId,
      id: chat.messageId,
      messages: [{ role: 'assistant', content: 'noon' }],
    }
    expect((await ana.post(`/api/chat/actions/${id}`, body)).body).toEqual({
      result: { last: 'noon', on: chat.messageId },
    })
    expect(await chat.message()).toMatchObject({ embeds: ['https://example.test/'], content: 'One two' })
    // Without a number, which only the server's own frames have; and what a person chose is neither replaced nor shown.
    const types = ['embeds', 'chat:completion', 'chat:message:delta']
    await expect.poll(() => seen.map(({ type }) => type).filter((type) => type !== 'chat:changed')).toEqual(types)
    expect(seen.find(({ type }) => type === 'chat:completion')?.data).toEqual({
      choices: [{ delta: { content: 'One ' } }],
    })
    expect((await ana.get(`/api/v1/chats/${chat.chatId}`)).body).toMatchObject({
      title: 'My own',
      meta: { tags: ['mine'] },
    })
    expect(await ben.post(`/api/chat/actions/${id}`, body)).toMatchObject({
      status: 404,
      body: { code: 'chat_not_found' },
    })
    await remove('functions', id)
    expect(await ana.post(`/api/chat/actions/${id}`, body)).toMatchObject({
      status: 404,
      body: { code: 'plugin_not_found' },
    })
  })

  it('calls the tools that its first comment names, as the person who runs it: a reply becomes a document for signature', async () => {
    const ana = await app.user({ name: 'Ana Owner', isProven: true })
    const draft = await makeDraft(ana, { title: 'Agreement', recipients: [{}] })
    const [recipient] = draft.recipients
    const box = { page: 1, x: 0.1, y: 0.5, width: 0.5, height: 0.1, required: false }
    const text = { ...box, recipientId: recipient?.id, type: 'TEXT', label: 'Text' }
    await ana.put(`${documentsPath}/${draft.id}/fields`, [...draft.fields, text])
    const roles = [{ recipientId: recipient?.id, name: 'Signer' }]
    const template = (await ana.post('/api/signing/templates', { documentId: draft.id, roles })).body
    const examples = (await owner.get('/api/v1/functions/examples')).body.items
    const { content } = examples.find(({ id }: { id: string }) => id === 'sign_action')
    const id = await add('functions', content)
    await ana.post(`/api/v1/functions/id/${id}/valves/user/update`, { valves: { template_id: template.id } })
    const socket = await createSockets(app.url).connectAs(ana)
    const email = `kim.${template.id}@example.test`
    socket.on('events', (event, reply) => {
      if (typeof reply === 'function')
        reply(event.data.type === 'confirmation' || (/Where/.test(event.data.data.title) ? email : 'Kim'))
    })
    const chat = await prepareChat(ana)
    const said = [...messages, { role: 'assistant', content: 'We agree on noon.' }]
    const run = { ...chat.body, model: 'swift', messages: said, session_id: socket.id }
    expect(await ana.post(`/api/chat/actions/${id}`, run)).toMatchObject({ body: { result: 'Sent to Kim' } })
    expect((await app.letterTo(email)).subject).toContain('Agreement')
    const [sent] = (await ana.get(`${documentsPath}?state=SENT`)).body.data
    const { fields } = (await ana.get(`${documentsPath}/${sent.id}`)).body
    expect(JSON.stringify(fields)).toContain('We agree on noon.')
    expect((await chat.message()).statusHistory).toMatchObject([{ description: expect.stringContaining('to Kim') }])
    await remove('functions', id)
  })
})

/** Title, tags and follow-ups after a reply. */
import { describe, expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { type PreparedChat, prepareChat } from '#test/harness/chat.ts'
import type { Person } from '#test/harness/people.ts'
import { createSockets } from '#test/harness/sockets.ts'
import type { PeerRequest } from '#test/peers/model-behaviour.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift', 'small'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const sockets = createSockets(app.url)

const promptOf = ({ body }: PeerRequest): string => body.messages.at(-1).content
const answers = {
  title: '{"title": "The hour"}',
  tags: '{"tags": ["Time"]}',
  follow_ups: '{"follow_ups": ["And in Tokyo?"]}',
}
/** The task prompts name the form of their answer. */
const kindOf = (request: PeerRequest): keyof typeof answers | undefined =>
  (Object.keys(answers) as (keyof typeof answers)[]).find((kind) => promptOf(request).includes(`{"${kind}":`))
provider.usually((request) => {
  const kind = kindOf(request)
  return { text: kind ? answers[kind] : 'Noon.' }
})

const all = { title_generation: true, tags_generation: true, follow_up_generation: true }
const ask = (person: Person, chat: PreparedChat, extra: object = {}) =>
  person.post('/api/chat/completions', { model: 'swift', background_tasks: all, ...chat.body, ...extra })
const chatOf = async (person: Person, { chatId }: PreparedChat) => (await person.get(`/api/v1/chats/${chatId}`)).body
const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 10_000, interval: 20 })

describe('after the first exchange', () => {
  it('the chat gets a title and tags, the message follow-ups, and the tabs hear of it', async () => {
    const ana = await app.user()
    const events: { message_id: string; data: { type: string; data: unknown } }[] = []
    const socket = await sockets.connectAs(ana)
    socket.on('events', (event) => void events.push(event))
    const chat = await prepareChat(ana)
    await ask(ana, chat)
    await eventually(async () => {
      expect(await chatOf(ana, chat)).toMatchObject({ title: 'The hour', meta: { tags: ['time'] } })
      expect(await chat.message()).toMatchObject({ content: 'Noon.', followUps: ['And in Tokyo?'] })
    })
    await eventually(() =>
      expect(events.filter(({ data }) => data.type !== 'chat:changed').map(({ data }) => data)).toEqual(
        expect.arrayContaining([
          { type: 'chat:title', data: 'The hour' },
          { type: 'chat:tags', data: { tags: ['time'] } },
          { type: 'chat:message:follow_ups', data: { follow_ups: ['And in Tokyo?'] } },
        ]),
      ),
    )
  })

  it('only what was asked for is made', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const count = provider.calls().length
    await ask(ana, chat, { background_tasks: { follow_up_generation: true, title_generation: false } })
    await eventually(async () => expect((await chat.message()).followUps).toHaveLength(1))
    expect(provider.calls().slice(count).map(kindOf)).toEqual([undefined, 'follow_ups'])
    expect(await chatOf(ana, chat)).toMatchObject({ title: 'New Chat' })
  })

  it('a model that gives no title leaves the first words of the user', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    provider.script({ text: 'Noon.' }, { fail: { status: 500 } })
    await ask(ana, chat, { background_tasks: { title_generation: true } })
    await eventually(async () => expect(await chatOf(ana, chat)).toMatchObject({ title: 'What is the time?' }))
  })

  it('the guide is asked for nothing: the title is the first words of the user', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana, { model: 'guide', question: 'Who are you?' })
    await ask(ana, chat, { model: 'guide' })
    await eventually(async () => expect(await chatOf(ana, chat)).toMatchObject({ title: 'Who are you?' }))
    expect((await chat.message()).followUps).toBeUndefined()
  })

  it('nothing is made of a reply that failed', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const count = provider.calls().length
    provider.script({ fail: { status: 500 } })
    await ask(ana, chat)
    expect(provider.calls().slice(count)).toHaveLength(1)
    expect(await chatOf(ana, chat)).toMatchObject({ title: 'New Chat' })
  })
})

describe('the task model', () => {
  it('is asked in ref of the one that replied, where the caller may use it', async () => {
    const [ana, owner] = await Promise.all([app.user(), app.platformOwner()])
    const saved = await owner.post('/api/v1/configs', { 'task.model': 'small' })
    expect(saved.status).toBeLessThan(300)
    const chat = await prepareChat(ana)
    const count = provider.calls().length
    await ask(ana, chat, { background_tasks: { title_generation: true } })
    await eventually(async () => expect(await chatOf(ana, chat)).toMatchObject({ title: 'The hour' }))
    expect(
      provider
        .calls()
        .slice(count)
        .map(({ body }) => body.model),
    ).toEqual(['swift', 'small'])
  })
})

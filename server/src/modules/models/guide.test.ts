/** The guide answers by itself, so nothing but its own words is needed here. */
import { describe, expect, it } from 'vitest'
import type { ModelCall } from './face.ts'
import { guide, guideId, isGuide } from './guide.ts'
import { topics, welcome } from './guide-topics.ts'

const ask = async (
  content: ModelCall['body']['messages'][number]['content'],
  signal = new AbortController().signal,
) => {
  const call = { actor: {} as ModelCall['actor'], body: { messages: [{ role: 'user', content }] }, signal }
  const pieces: unknown[] = []
  for await (const piece of guide.call(guideId, call)) pieces.push(piece)
  return { pieces, text: pieces.join('') }
}

describe('the guide', () => {
  it('is one model, known by its id', () => {
    expect(guide.list().map(({ id }) => id)).toEqual(['guide'])
    expect([isGuide('guide'), isGuide('swift')]).toEqual([true, false])
  })

  it.each([
    ['What is Chancery?', 'About Chancery'],
    ['what can this service do', 'About Chancery'],
    ['How do I add a connection?', 'Connecting a model'],
    ['How do I connect a model?', 'Connecting a model'],
    ['How can I add an Ollama server?', 'Connecting a model'],
    ['How do I make an API key?', 'API keys'],
    ['Where do I find my token for the SDK', 'API keys'],
    ['How do I invite my colleagues?', 'Inviting colleagues'],
    ['What can I do with chats?', 'Chats'],
    ['Can I share a conversation?', 'Chats'],
    ['Who may use which model?', 'Models and who may use them'],
    ['How much have I used?', 'Usage and limits'],
    ['Are there workflows?', 'Workflows'],
    ['Can I upload a PDF?', 'Documents and knowledge'],
    ['How do I change my password?', 'Signing in and security'],
    ['How do I sign in with my company account?', 'Signing in and security'],
    ['Are you a language model?', 'What the guide is'],
    ['who are you', 'What the guide is'],
    ['Thanks!', 'You are welcome'],
  ])('answers %j with "%s"', async (question, title) => {
    expect((await ask(question)).text).toBe(topics.find((topic) => topic.title === title)?.text)
  })

  it.each(['Hello', '', '???', 'What is the capital of France', 'Write me a poem'])(
    'says to %j that it is no language model, and what it knows',
    async (question) => {
      const { text } = await ask(question)
      expect(text).toContain('not a language model')
    },
  )

  it('answers the first question that the chat screen suggests', async () => {
    expect((await ask('What can I do here?')).text).toBe(welcome.text)
  })

  it('speaks piece by piece, and no further once nobody listens', async () => {
    expect((await ask('Hello')).pieces.length).toBeGreaterThan(20)
    await expect(ask('Hello', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })

  it('reads text parts and passes over pictures', async () => {
    const { text } = await ask([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'text', text: 'How do I make an API key?' },
    ])
    expect(text).toContain('API key')
  })

  it.each(['title', 'tags', 'follow_ups'])('answers what wants "%s" as JSON with just that', async (key) => {
    const { text } = await ask(`Look at this chat about API keys. Answer in JSON: {"${key}": …}`)
    expect(Object.keys(JSON.parse(text))).toEqual([key])
  })

  it('has an answer to each question it proposes', async () => {
    for (const question of topics.flatMap(({ next }) => next))
      expect((await ask(question)).text).not.toContain('no answer')
  })
})

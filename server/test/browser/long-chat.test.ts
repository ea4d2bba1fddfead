import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { chatDesk, patient, replied, say, shown } from './chat-desk.ts'

const { provider, person, sitDown } = await chatDesk()

/** Questions and replies, each below the one before, with another version of the last reply. */
const longChat = async (count: number): Promise<string> => {
  const ids = Array.from({ length: count }, () => randomUUID())
  const messages = ids.map((id, index) => ({
    id,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content:
      index % 2 === 0 ? `Question ${index}?` : `Answer ${index}. ${'It goes on for a while. '.repeat(index % 7)}`,
    parentId: ids[index - 1] ?? null,
    childrenIds: [],
    timestamp: 1 + index,
    ...(index % 2 === 1 && { model: 'swift', modelName: 'swift', modelIdx: 0, done: true }),
  }))
  const earlier = { ...messages.at(-1), id: randomUUID(), content: 'The answer of before.' }
  const all = [...messages.slice(0, -1), earlier, messages.at(-1)]
  const history = { currentId: ids.at(-1), messages: Object.fromEntries(all.map((one) => [one?.id, one])) }
  const chat = { title: 'A long chat', models: ['swift'], messages: [], history }
  const { status, body, text } = await person.post('/api/v1/chats/new', { chat })
  if (status >= 300) throw new Error(text)
  return body.id
}

describe.runIf(hasBrowser)('a long chat', () => {
  it('opens at its end, and loads what is before it while the reader scrolls up', async () => {
    const id = await longChat(700)
    const read: string[] = []
    const { page, inspect } = await sitDown()
    page.on('request', (request) => {
      if (request.url().includes(`/chats/${id}`)) read.push(new URL(request.url()).search)
    })
    await page.goto(page.url().replace(/\/chat.*/, `/chat/${id}`))
    await shown(page, 'Question 698?').waitFor()
    await page.getByRole('group', { name: 'Versions' }).getByText('2/2').waitFor()
    expect(new Set(read)).toEqual(new Set(['?branch=active&last=200']))
    await inspect('long-chat')

    const conversation = page.getByRole('region', { name: 'Conversation' })
    const scrollTo = (top: number) => conversation.evaluate((element, to) => element.scrollTo({ top: to }), top)
    await scrollTo(400)
    const earlier = () => read.filter((query) => query.includes('before='))
    await expect.poll(() => earlier().length, patient).toBe(1)
    await expect.poll(() => conversation.evaluate(({ scrollTop }) => scrollTop), patient).toBeGreaterThan(2000)
    for (let tries = 0; tries < 40 && (await shown(page, 'Question 0?').count()) === 0; tries += 1) {
      await scrollTo(0)
      await page.waitForTimeout(200)
    }
    await shown(page, 'Question 0?').waitFor()
    expect(earlier()).toHaveLength(3)
    await inspect('long-chat-start')
  })

  it('sends a model all of it, and shows another version', async () => {
    const id = await longChat(260)
    const { page } = await sitDown(`/chat/${id}`)
    await shown(page, 'Question 258?').waitFor()
    await page.getByRole('button', { name: 'Previous version' }).click()
    await shown(page, 'The answer of before.').waitFor()
    provider.script({ text: 'Of course.' })
    await say(page, 'And the first question was?')
    await shown(page, 'Of course.').waitFor()
    await replied(page)
    const sent = provider.requests.findLast(({ body }) => body?.stream === true)?.body.messages
    expect(sent).toHaveLength(261)
    expect(sent[0]).toMatchObject({ content: 'Question 0?' })
  })
})

/** A chat of the most messages is read, whatever its body costs. */
import { expect, it } from 'vitest'
import { costOf } from '#kernel/json/parse-foreign.ts'
import { maxChatParts } from './history.ts'

it('a chat may have as many messages as there may be', async () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => `0197e1de-0000-7000-8000-${String(n).padStart(12, '0')}`)
  const messages = ids.map((id, n) => ({
    id,
    parentId: ids[n - 1] ?? null,
    childrenIds: ids.slice(n + 1, n + 2),
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: 'text',
    timestamp: 1_700_000_000,
    models: ['a', 'b'],
    model: 'a',
    done: true,
    files: [],
    sources: [{ name: 'a', url: 'b', text: 'c' }],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  }))
  const history = { currentId: ids.at(-1), messages: Object.fromEntries(messages.map((one) => [one.id, one])) }
  const body = JSON.stringify({ chat: { title: 'long', models: ['a'], history } })
  expect(costOf(body, maxChatParts)).toBeLessThan(maxChatParts)
})

import { describe, expect, it } from 'vitest'
import { collectionOf, knowledgeApp } from '#test/harness/knowledge.ts'
import type { Person } from '#test/harness/people.ts'

const { ana, stranger, provider } = await knowledgeApp()

describe('search_knowledge', () => {
  it('finds what its caller may read, and nothing else', async () => {
    await collectionOf(ana, 'The zeppelin landed at noon.')
    const run = async (person: Person, more: object = {}) => {
      provider.script(
        { toolCalls: [{ name: 'search_knowledge', arguments: { query: 'zeppelin', ...more } }] },
        { text: 'Done.' },
      )
      const messages = [{ role: 'user', content: 'Where is the zeppelin?' }]
      await person.post('/api/chat/completions', { model: 'swift', messages, tool_ids: ['builtin:knowledge'] })
      return provider.calls().at(-1)?.body.messages.at(-1).content as string
    }
    expect(await run(ana)).toContain('landed at noon')
    expect(await run(stranger)).toBe('Nothing was found.')
    expect(await run(ana, { collections: Array(51).fill('notes') })).toContain('at most 50')
  })
})

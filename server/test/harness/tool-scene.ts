/** An app with a model that calls tools, and tool servers that its platform admin connects. */
import { startModelProvider } from '../peers/model-provider.ts'
import { testApp } from './app.ts'
import type { Person } from './people.ts'

export const toolScene = async () => {
  const provider = await startModelProvider({ models: ['swift'] })
  const app = await testApp({
    env: {
      COMPAT_API_BASE_URL: provider.url,
      ENABLE_FORWARD_USER_INFO_HEADERS: 'True',
      FORWARD_SESSION_INFO_HEADER_CHAT_ID: 'X-Chat',
    },
  })
  const owner = await app.platformOwner()
  const base = '/api/v1/configs/tool_servers'
  const lastSent = () => provider.calls().at(-1)?.body
  /** The message is the chat's, where `more` is one. */
  const ask = (person: Person, toolIds: string[], more: object = {}) => {
    const messages = [{ role: 'user', content: 'Say it.' }]
    return person.post('/api/chat/completions', { model: 'swift', messages, tool_ids: toolIds, ...more })
  }
  return {
    provider,
    app,
    owner,
    base,
    lastSent,
    ask,
    sentTools: () => (lastSent().tools ?? []).map((tool: { function: { name: string } }) => tool.function.name),
    /** These servers are connected, and no others. */
    save: async (...items: object[]) => {
      const reply = await owner.post(base, { items })
      if (reply.status !== 200) throw new Error(reply.text)
      return reply.body.items
    },
    /** The results that the model got from the tools it called. */
    use: async (
      person: Person,
      toolId: string | string[],
      calls: { name: string; arguments: Record<string, unknown> }[],
      more: object = {},
    ) => {
      provider.script({ toolCalls: calls }, { text: 'Done.' })
      const reply = await ask(person, [toolId].flat(), more)
      if (reply.status !== 200) throw new Error(reply.text)
      return lastSent()
        .messages.slice(-calls.length)
        .map(({ content }: { content: string }) => content)
    },
  }
}

/** The tool `builtin:chats`: searches the caller's own earlier chats. */
import { AppError } from '#kernel/errors.ts'
import type { Chats } from '#modules/chats/index.ts'
import { builtinSource, type ToolSource } from '#modules/tools/index.ts'

const maxHits = 10

export const searchChats = (chats: Pick<Chats, 'search'>): ToolSource =>
  builtinSource({
    id: 'builtin:chats',
    name: 'Chats',
    description: 'Searches your earlier conversations.',
    isFor: ({ kind }) => kind === 'user',
    tools: [
      {
        name: 'search_chats',
        routes: ['/api/v1/chats/search'],
        description: 'Full-text search over the earlier conversations of the user.',
        parameters: {
          type: 'object',
          properties: { query: { type: 'string', description: 'Words to look for.' } },
          required: ['query'],
        },
        run: async ({ query }, { actor }) => {
          if (typeof query !== 'string' || query.trim() === '')
            throw new AppError('tool_failed', { detail: 'query is missing.' })
          const hits = await chats.search(actor, query.slice(0, 500), maxHits)
          return { content: JSON.stringify(hits.map(({ chatId, title, snippet }) => ({ chatId, title, snippet }))) }
        },
      },
    ],
  })
